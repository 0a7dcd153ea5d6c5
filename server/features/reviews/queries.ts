import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import { REVIEW_COLUMNS } from './review-row.ts';

/** For the author of a review that belongs to nobody: of each row its own. */
export const RANDOM_KEY = sql<Buffer>`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`;

/** An author, by every key that may name them while keys are rotated. */
export type AuthorKeys = readonly Buffer[];

/** Reviews, removed ones too. */
export function selectByIds(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, 'removed_reason'])
    .where('id', '=', anyOf('uuid', ids))
    .execute();
}

/**
 * All of an author's reviews, removed ones too, newest first; and whether others are scheduled, as of
 * the same moment.
 */
export function selectByAuthor(db: Db, author: AuthorKeys) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, 'removed_reason'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('scheduled_reviews')
            .select('scheduled_reviews.id')
            .where('scheduled_reviews.author_key', '=', anyOf('bytea', author)),
        )
        .as('has_scheduled'),
    )
    .where('reviews.author_key', '=', anyOf('bytea', author))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** The author's own review, a removed one too. */
export function selectOwn(db: Db, id: string, author: AuthorKeys) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, 'removed_reason'])
    .where('id', '=', id)
    .where('author_key', '=', anyOf('bytea', author))
    .executeTakeFirst();
}

export function selectReview(db: Db, id: string) {
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('id', '=', id)
    .where('removed_reason', 'is', null)
    .executeTakeFirst();
}

/** The new review, or undefined when the author has one for this employer and position. */
export async function insertReview(
  db: Db,
  author: AuthorKeys,
  review: Omit<Insertable<DB['reviews']>, 'author_key'> & { position_title: string },
) {
  const [author_key, ...others] = author;
  if (!author_key) throw new Error('no author');
  // The constraint knows only one key.
  if (others.length > 0) {
    const same = await findSame(db, author, review.employer_id, review.position_title);
    if (same) return undefined;
  }
  return db
    .insertInto('reviews')
    .values({ ...review, author_key })
    .onConflict((conflict) => conflict.constraint('reviews_once').doNothing())
    .returning(REVIEW_COLUMNS)
    .executeTakeFirst();
}

/** The author's review that was written for this employer in this position (reviews_once). */
export function findSame(
  db: Db,
  author: AuthorKeys,
  writtenFor: number,
  positionTitle: string,
): Promise<Selectable<DB['reviews']> | undefined> {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('author_key', '=', anyOf('bytea', author))
    .where('written_for', '=', writtenFor)
    .where('position_key', '=', sql<string>`public.name_key(${positionTitle})`)
    .executeTakeFirst();
}

/**
 * The author's own review, locked until the transaction ends. The table comes first: else one that
 * the nightly rewrite is moving just then, deleted and there again, would not be found.
 */
export async function lockOwn(trx: Db, id: string, author: AuthorKeys) {
  await sql`lock table reviews in row exclusive mode`.execute(trx);
  return trx
    .selectFrom('reviews')
    .select(['written_for', 'start_year', 'end_year', 'removed_reason'])
    .where('id', '=', id)
    .where('author_key', '=', anyOf('bytea', author))
    .forUpdate()
    .executeTakeFirst();
}

/** False when there is no such review. */
export async function updateReview(
  db: Db,
  id: string,
  change: Updateable<DB['reviews']>,
): Promise<boolean> {
  const updated = await db
    .updateTable('reviews')
    .set(change)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** False when there is no such review, or it is removed already. */
export async function hidePublished(db: Db, id: string, reason: string): Promise<boolean> {
  const updated = await db
    .updateTable('reviews')
    .set({ removed_reason: reason })
    .where('id', '=', id)
    .where('removed_reason', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** False when there is no such review of this author. */
export async function deleteReview(db: Db, id: string, author: AuthorKeys): Promise<boolean> {
  const deleted = await db
    .deleteFrom('reviews')
    .where('id', '=', id)
    .where('author_key', '=', anyOf('bytea', author))
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function deleteByAuthor(db: Db, author: AuthorKeys) {
  await sql`
    with ${ownInOrder(author)}
    delete from reviews using own where reviews.id = own.id`.execute(db);
}

/** Puts random bytes, of each review its own, where the author's key was. Returns the ids. */
export async function disownByAuthor(db: Db, author: AuthorKeys): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with ${ownInOrder(author)}
    update reviews
      set author_key = ${RANDOM_KEY}
      from own where reviews.id = own.id
    returning reviews.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Notes the hour in which each of these reviews is deleted. */
export async function insertDepartures(db: Db, ids: readonly string[], minutes: readonly Date[]) {
  await sql`
    insert into departing_reviews (review_id, leaves_at)
    select * from unnest(${ids}::uuid[], ${minutes}::timestamptz[])`.execute(db);
}

/**
 * A tenth of the reviews whose minute has come (departing_reviews_due), and at least one: what an
 * outage has held up must not go together.
 */
export async function selectDeparted(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as materialized (select review_id from departing_reviews where leaves_at <= ${now})
    select review_id as id from due order by random()
    limit (select ceil(count(*) / 10.0) from due)`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteById(db: Db, id: string): Promise<void> {
  await db.deleteFrom('reviews').where('id', '=', id).execute();
}

/** Statements that change several reviews lock them in the order of their ids. */
const ownInOrder = (author: AuthorKeys) => sql`own as materialized (
  select id from reviews where author_key = ${anyOf('bytea', author)} order by id for update
)`;
