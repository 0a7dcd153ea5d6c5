import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { reviewContentFields } from '#contract/reviews.ts';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

export type Scheduled = Pick<Selectable<DB['scheduled_reviews']>, (typeof COLUMNS)[number]>;

const COLUMNS = [
  'id',
  'author_key',
  'employer_id',
  'custom_employer',
  'custom_employer_key',
  'publish_at',
  'held',
  ...reviewContentFields,
] as const;

/** A scheduled review as `holdAuthor` found it. */
export type Waiting = Scheduled & { is_same_position: boolean | null };

/**
 * Locks an author until the transaction ends (hold_author), so that the author writes nothing else
 * and the account is not deleted. It is an advisory lock: a row lock on the account would leave an
 * `xmax` that links it to the review. Returns the author's scheduled reviews, and whether each is
 * for this position.
 */
export async function holdAuthor(
  trx: Db,
  author: AuthorKeys,
  positionTitle: string | null,
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))},
      position_key = public.name_key(${positionTitle}::text) as is_same_position
    from hold_author(${author}::bytea[])`.execute(trx);
  return rows;
}

/** An author's scheduled reviews, last to go live first. */
export function selectByAuthor(db: Db, author: AuthorKeys): Promise<Scheduled[]> {
  return db
    .selectFrom('scheduled_reviews')
    .select(COLUMNS)
    .where('author_key', '=', anyOf('bytea', author))
    .orderBy('publish_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Whether two names are the same employer's, ignoring case, spaces, and punctuation. */
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
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Returns undefined if there is no such review. */
export function update(
  trx: Db,
  id: string,
  change: Updateable<DB['scheduled_reviews']>,
): Promise<Scheduled | undefined> {
  return trx
    .updateTable('scheduled_reviews')
    .set(change)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Reviews that are due, in the order of their random ids (scheduled_reviews_due). */
export function selectDue(db: Db, now: Date) {
  return db
    .selectFrom('scheduled_reviews')
    .select(['id', 'author_key'])
    .where('publish_at', '<=', now)
    .where('held', '=', sql.lit(false))
    .orderBy('id')
    .execute();
}

/** Holds a review, unless its author or its publication time has changed since. */
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
