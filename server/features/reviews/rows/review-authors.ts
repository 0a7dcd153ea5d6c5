import { type RawBuilder, sql } from 'kysely';
import type { AuthorKeys } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';

/**
 * Queries of `review_authors`, the only table that ties an author to a review, published or waiting.
 * It has no statistics (docs/anonymity.md), so a query must be fast whatever PostgreSQL estimates.
 */

/** The author key of a review without an author: different for each row. */
const RANDOM_KEY = sql<Buffer>`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`;

/** What an author reviews at most once: a position at an employer, or at one that is to be created. */
interface Job {
  readonly employer_id?: number | null | undefined;
  readonly custom_employer?: string | null | undefined;
  readonly custom_city?: string | null | undefined;
  readonly custom_state?: string | null | undefined;
  readonly position_title: string;
}

export const jobOf = ({
  employer_id = null,
  custom_employer = null,
  custom_city = null,
  custom_state = null,
  position_title,
}: Job) =>
  sql<Buffer>`public.review_job(
    ${employer_id}::integer, ${custom_employer}::text, ${custom_city}::text, ${custom_state}::text,
    ${position_title}::text)`;

/**
 * For `id = …`: an author's reviews, published and waiting, or those of one job
 * (review_authors_once). Written so that each key, and then each review, is looked up in an index.
 */
export const ownIds = (author: AuthorKeys, job?: Job) => sql<string>`any(array(
  select review_id from unnest(${author}::bytea[]) as own_key cross join lateral (
    select review_id from review_authors
    where author_key = own_key ${job ? sql`and job = ${jobOf(job)}` : sql``} offset 0
  ) as own_review))`;

/** Whether the author wrote this review. */
export const isOwn = (id: string, author: AuthorKeys) => sql<boolean>`exists (
  select from review_authors
  where review_id = ${id}::uuid and author_key = ${anyOf('bytea', author)})`;

/**
 * Inserts the author's row of a new review: a random id, unless it has one. Inserts nothing if the
 * author has another review of this job. The constraint covers only the first key.
 */
export function authorOf(db: Db, [author_key]: AuthorKeys, job: Job, id?: string) {
  if (!author_key) throw new Error('no author');
  return db
    .insertInto('review_authors')
    .values({ author_key, job: jobOf(job), ...(id !== undefined && { review_id: id }) })
    .onConflict((conflict) => conflict.constraint('review_authors_once').doNothing())
    .returning('review_id as id');
}

/** After an edit. The author must not have another review of this job. */
export async function changeJob(db: Db, id: string, job: Job): Promise<void> {
  await db
    .updateTable('review_authors')
    .set({ job: jobOf(job) })
    .where('review_id', '=', id)
    .where('job', '<>', jobOf(job))
    .execute();
}

/** The author's review of this job, published or waiting. */
export const findOfJob = (db: Db, author: AuthorKeys, job: Job) =>
  db
    .selectFrom('review_authors')
    .select('review_id as id')
    .where('review_id', '=', ownIds(author, job))
    .executeTakeFirst();

interface KeyPair {
  readonly old: Buffer;
  readonly next: Buffer | undefined;
}

/**
 * Replaces author keys, locking the rows by id. A review that matches `isDouble`, a condition on the
 * row `own`, gets a random key instead. Returns how many changed.
 */
export async function rekeyAuthors(
  trx: Db,
  pairs: readonly KeyPair[],
  isDouble: RawBuilder<unknown> = sql`false`,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with held as materialized (
      select review_id, pair.next, ${isDouble} as is_double
      from review_authors as own
      join unnest(
        ${pairs.map(({ old }) => old)}::bytea[],
        ${pairs.map(({ next }) => next)}::bytea[]
      ) as pair (old, next) on author_key = pair.old
      where review_id = ${ownIds(pairs.map(({ old }) => old))}
      order by review_id for update of own
    )
    update review_authors as own
    set author_key = case when held.is_double then ${RANDOM_KEY} else held.next end
    from held
    where own.review_id = held.review_id
      and own.review_id = any(array(select review_id from held))`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Replaces these keys by random bytes, different for each review. Returns the ids of the reviews,
 * published and waiting.
 */
export async function disownByAuthor(db: Db, author: AuthorKeys): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select review_id from review_authors
      where review_id = ${ownIds(author)} order by review_id for update
    )
    update review_authors set author_key = ${RANDOM_KEY}
    where review_id = any(array(select review_id from own))
    returning review_id as id`.execute(db);
  return rows.map(({ id }) => id);
}
