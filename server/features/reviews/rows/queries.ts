import { type Insertable, sql, type Updateable } from 'kysely';
import { reviewContentFields } from '#contract/reviews/reviews.ts';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import { AppError } from '#server/errors/app-error.ts';
import { PUBLIC_REPLY } from './reply-queries.ts';
import { authorOf, findOfJob, isOwn, ownIds } from './review-authors.ts';
import { REVIEW_COLUMNS } from './review-row.ts';

/** Published and removed reviews. */
export function selectByIds(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, 'removed_reason'])
    .where('id', '=', anyOf('uuid', ids))
    .execute();
}

/** The titles of published and removed reviews, with their texts and the names of their employers. */
export const selectTitles = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('reviews')
    .select(['id', 'position_title', 'employer_name', 'review_text'])
    .where('id', '=', anyOf('uuid', ids))
    .execute();

/**
 * An author's published and removed reviews, newest first, and whether the author had scheduled ones
 * at the same moment.
 */
export function selectByAuthor(db: Db, author: AuthorKeys) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, 'removed_reason', PUBLIC_REPLY.as('reply')])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('scheduled_reviews')
            .select('scheduled_reviews.id')
            .where('scheduled_reviews.id', '=', ownIds(author)),
        )
        .as('has_scheduled'),
    )
    .where('reviews.id', '=', ownIds(author))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** An author's published or removed review. */
export function selectOwn(db: Db, id: string, author: AuthorKeys) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, 'removed_reason', PUBLIC_REPLY.as('reply')])
    .where('id', '=', id)
    .where(isOwn(id, author))
    .executeTakeFirst();
}

export function selectReview(db: Db, id: string) {
  return db
    .selectFrom('reviews')
    .select([...REVIEW_COLUMNS, PUBLIC_REPLY.as('reply')])
    .where('id', '=', id)
    .where('removed_reason', 'is', null)
    .executeTakeFirst();
}

/**
 * Returns undefined if the author already reviewed this employer in this position. Throws
 * `employer_rejected`.
 */
export async function insertReview(
  db: Db,
  author: AuthorKeys,
  review: Insertable<DB['reviews']> & { id?: string; position_title: string },
) {
  // The constraint only covers one key.
  if (author.length > 1 && (await findOfJob(db, author, review))) return undefined;
  const { id: own, ...columns } = review;
  const values = Object.entries(columns);
  return db
    .with('author', () => authorOf(db, author, review, own))
    .insertInto('reviews')
    .columns(['id', ...values.map(([column]) => column as keyof typeof columns)])
    .expression((eb) =>
      eb
        .selectFrom('author')
        .select(['id', ...values.map(([column, value]) => sql`${value}`.as(column))]),
    )
    .returning(REVIEW_COLUMNS)
    .executeTakeFirst()
    .catch(throwRejected);
}

/** reviews_changed() lets no review of a rejected employer become public. */
function throwRejected(error: { constraint?: string }): never {
  throw error.constraint === 'reviews_of_rejected' ? new AppError('employer_rejected') : error;
}

/** The author's published review of this employer in this position (review_authors_once). */
export function findSame(db: Db, author: AuthorKeys, employer_id: number, position_title: string) {
  return db
    .selectFrom('reviews')
    .select(['id', ...reviewContentFields])
    .where('id', '=', ownIds(author, { employer_id, position_title }))
    .executeTakeFirst();
}

/**
 * Locks the author's own review until the transaction ends. Locks the table first: otherwise it
 * would miss a review that the nightly rewrite is moving (deleting and inserting again).
 */
export async function lockOwn(trx: Db, id: string, author: AuthorKeys) {
  await sql`lock table reviews in row exclusive mode`.execute(trx);
  return trx
    .selectFrom('reviews')
    .select(['written_for', 'start_year', 'end_year', 'removed_reason'])
    .where('id', '=', id)
    .where(isOwn(id, author))
    .forUpdate()
    .executeTakeFirst();
}

/** Returns false if there is no such review. Throws `employer_rejected`. */
export async function updateReview(
  db: Db,
  id: string,
  change: Updateable<DB['reviews']>,
): Promise<boolean> {
  const updated = await db
    .updateTable('reviews')
    .set({ ...change, settled: false })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
    .catch(throwRejected);
  return updated !== undefined;
}

/** Reviews, or reviews that are not published yet. */
type ReviewTable = 'reviews' | 'scheduled_reviews';

/** Returns false if the author has no such review. */
export async function deleteOwn(
  db: Db,
  table: ReviewTable,
  id: string,
  author: AuthorKeys,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
    where id = ${id} and ${isOwn(id, author)}`.execute(db);
  return numAffectedRows === 1n;
}

export async function deleteByAuthor(
  db: Db,
  table: ReviewTable,
  author: AuthorKeys,
  condition = sql`true`,
) {
  // Statements that change several reviews lock them by id first.
  await sql`
    with own as materialized (
      select id from ${sql.table(table)} where id = ${ownIds(author)} order by id for update
    )
    delete from ${sql.table(table)} as review using own
    where review.id = own.id and ${condition}`.execute(db);
}

/** Records when each of these reviews will be deleted. */
export async function insertDepartures(db: Db, ids: readonly string[], minutes: readonly Date[]) {
  await sql`
    insert into departing_reviews (review_id, leaves_at)
    select * from unnest(${ids}::uuid[], ${minutes}::timestamptz[])`.execute(db);
}

/**
 * A tenth of the reviews that are due (departing_reviews_due), and at least one: after an outage,
 * they must not all disappear together.
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

/** All reviews and their employers, for joins. */
export const REVIEWED = sql`select id, employer_id from reviews`;
