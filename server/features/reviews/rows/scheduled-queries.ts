import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { reviewContentFields } from '#contract/reviews/reviews.ts';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import type { EmployerName } from '#server/features/employers/queries.ts';
import { authorOf, isOwn, ownIds } from './review-authors.ts';

export type Scheduled = Pick<Selectable<DB['scheduled_reviews']>, (typeof COLUMNS)[number]>;

const COLUMNS = [
  'id',
  'employer_id',
  'custom_employer',
  'custom_city',
  'custom_state',
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
    .where('id', '=', ownIds(author))
    .orderBy('publish_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Whether two names may become one employer, ignoring case, spaces, and punctuation. */
export async function isSameName(db: Db, one: EmployerName, other: EmployerName): Promise<boolean> {
  const isSame = (a: string | null, b: string | null) => sql`
    coalesce(public.name_key(${a}::text) = public.name_key(${b}::text), true)`;
  const { same } = await db
    .selectNoFrom(
      sql<boolean>`${isSame(one.name, other.name)} and ${isSame(one.city, other.city)}
        and ${isSame(one.state, other.state)}`.as('same'),
    )
    .executeTakeFirstOrThrow();
  return same;
}

export async function insert(
  trx: Db,
  author: AuthorKeys,
  review: Insertable<DB['scheduled_reviews']> & { position_title: string },
): Promise<Scheduled> {
  const { id } = await authorOf(trx, author, review).executeTakeFirstOrThrow();
  return trx
    .insertInto('scheduled_reviews')
    .values({ ...review, id })
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

export type Due = Awaited<ReturnType<typeof selectDue>>[number];

/** Reviews that are due, in the order of their random ids (scheduled_reviews_due). */
export function selectDue(db: Db, now: Date) {
  const due = sql<string>`any(array(
    select id from scheduled_reviews where publish_at <= ${now} and not held))`;
  return db
    .selectFrom('review_authors')
    .select(['review_id as id', 'author_key'])
    .where('review_id', '=', due)
    .orderBy('review_id')
    .execute();
}

/** An employer with those merged into it. */
export interface NamedEmployers {
  readonly ids: readonly number[];
  readonly name: string;
}

/** Schedules the held reviews of an employer, by id or name, again, each for its own minute. */
export async function resume(
  trx: Db,
  { ids, name }: NamedEmployers,
  nextMinute: () => Date,
): Promise<void> {
  const held = await trx
    .selectFrom('scheduled_reviews')
    .select('id')
    .where('held', '=', true)
    .where(sql<SqlBool>`(employer_id = ${anyOf('integer', ids)}
      or public.name_key(custom_employer) = public.name_key(${name}))`)
    .forUpdate()
    .execute();
  for (const { id } of held) await update(trx, id, { held: false, publish_at: nextMinute() });
}

/** Holds a review, unless its author or its publication time has changed since. */
export async function hold(
  db: Db,
  { id, publish_at }: Pick<Scheduled, 'id' | 'publish_at'>,
  author: AuthorKeys,
) {
  await db
    .updateTable('scheduled_reviews')
    .set({ held: true })
    .where('id', '=', id)
    .where(isOwn(id, author))
    .where('publish_at', '=', publish_at)
    .execute();
}
