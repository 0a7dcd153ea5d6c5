import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import { type AuthorKeys, RANDOM_KEY } from './queries.ts';

export type Scheduled = Selectable<DB['scheduled_reviews']>;

/** A scheduled review as `holdAuthor` found it. */
export type Waiting = Scheduled & { is_same_position: boolean | null };

/**
 * Locks an author until the transaction ends (hold_author): the author writes nothing else meanwhile,
 * and the account is not deleted. An advisory lock: one on the account's row would stay there as
 * `xmax`, and tie it to the review. Returns what the author has scheduled, and whether it is for a
 * position of this title.
 */
export async function holdAuthor(
  trx: Db,
  author: AuthorKeys,
  positionTitle: string | null,
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select *, position_key = public.name_key(${positionTitle}::text) as is_same_position
    from hold_author(${author}::bytea[])`.execute(trx);
  return rows;
}

/** What an author has scheduled, the last to go live first. */
export function selectByAuthor(db: Db, author: AuthorKeys): Promise<Scheduled[]> {
  return db
    .selectFrom('scheduled_reviews')
    .selectAll()
    .where('author_key', '=', anyOf('bytea', author))
    .orderBy('publish_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Whether two names are of one employer: case, spaces and punctuation aside. */
export async function isSameName(db: Db, one: string, other: string): Promise<boolean> {
  const { same } = await db
    .selectNoFrom(sql<boolean>`public.name_key(${one}) = public.name_key(${other})`.as('same'))
    .executeTakeFirstOrThrow();
  return same;
}

export async function insert(
  trx: Db,
  [author_key]: AuthorKeys,
  review: Omit<Insertable<DB['scheduled_reviews']>, 'author_key'>,
): Promise<Scheduled> {
  if (!author_key) throw new Error('no author');
  return trx
    .insertInto('scheduled_reviews')
    .values({ ...review, author_key })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Undefined when there is no such review. */
export function update(
  trx: Db,
  id: string,
  change: Updateable<DB['scheduled_reviews']>,
): Promise<Scheduled | undefined> {
  return trx
    .updateTable('scheduled_reviews')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** False when there is no such review of this author. */
export async function deleteOne(db: Db, id: string, author: AuthorKeys): Promise<boolean> {
  const deleted = await db
    .deleteFrom('scheduled_reviews')
    .where('id', '=', id)
    .where('author_key', '=', anyOf('bytea', author))
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Reviews whose minute has come, in the order of their random ids (scheduled_reviews_due). */
export function selectDue(db: Db, now: Date) {
  return db
    .selectFrom('scheduled_reviews')
    .select(['id', 'author_key'])
    .where('publish_at', '<=', now)
    .where('held', '=', sql.lit(false))
    .orderBy('id')
    .execute();
}

/** Keeps a review from being published, unless its author or its minute has changed since. */
export async function hold(
  db: Db,
  { id, author_key, publish_at }: Pick<Scheduled, 'id' | 'author_key' | 'publish_at'>,
) {
  await db
    .updateTable('scheduled_reviews')
    .set({ held: true })
    .where('id', '=', id)
    .where('author_key', '=', author_key)
    .where('publish_at', '=', publish_at)
    .execute();
}

export async function deleteByAuthor(db: Db, author: AuthorKeys) {
  await sql`
    with ${ownInOrder(author)}
    delete from scheduled_reviews using own where scheduled_reviews.id = own.id`.execute(db);
}

/**
 * Leaves an author's scheduled reviews to nobody. Those that are held go: nobody could ever change
 * them so that they can be published.
 */
export async function disownByAuthor(db: Db, author: AuthorKeys): Promise<number> {
  await sql`
    with ${ownInOrder(author)}
    delete from scheduled_reviews using own where scheduled_reviews.id = own.id and held
  `.execute(db);
  const { numAffectedRows } = await sql`
    with ${ownInOrder(author)}
    update scheduled_reviews set author_key = ${RANDOM_KEY}
    from own where scheduled_reviews.id = own.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const ownInOrder = (author: AuthorKeys) => sql`own as materialized (
  select id from scheduled_reviews
  where author_key = ${anyOf('bytea', author)} order by id for update
)`;
