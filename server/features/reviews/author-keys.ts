import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Author } from '#server/anonymity/author.ts';
import type { ReviewDeed } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { rekeyAuthors } from './rows/review-authors.ts';
import { holdAuthor } from './rows/scheduled-queries.ts';

/** Authors whose reviews change in one statement. */
const AUTHORS_AT_ONCE = 500;

/**
 * Replaces older authorship keys with the current one. The keys of reviews derive from account ids;
 * reviews without an author keep theirs. `userIds` must be in random order, because a transaction
 * shows which authors were changed together. Returns how many reviews changed, including scheduled
 * ones.
 */
export async function rotateAuthorKeys(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
): Promise<number> {
  let changed = 0;
  for (let from = 0; from < userIds.length; from += AUTHORS_AT_ONCE) {
    const pairs = userIds.slice(from, from + AUTHORS_AT_ONCE).flatMap((id) => {
      const [next, ...older] = keys.authorKeys(id);
      return older.map((old) => ({ old, next }));
    });
    changed += await inTransaction(db, (trx) => rekeyAuthors(trx, pairs));
  }
  return changed;
}

/**
 * Moves an account's reviews, votes, and reports to another author's keys, in the lock order of
 * docs/architecture.md.
 */
export async function handOverEverything(trx: Db, from: Author, to: Author): Promise<void> {
  await holdAuthor(trx, [...from.keys, ...to.keys], null);
  await handOverDeeds(trx, 'vote', from, to);
  await handOverDeeds(trx, 'report', from, to);
  await handOverDeeds(trx, 'reply-report', from, to);
  await handOverReviews(trx, from, to);
}

/**
 * Moves an account's reviews to another author's keys. If both authors reviewed the same job, the
 * first one's review is left without an author. Returns how many moved.
 */
export async function handOverReviews(trx: Db, from: Author, to: Author): Promise<number> {
  await holdAuthor(trx, [...from.keys, ...to.keys], null);
  const isDouble = sql`exists (
    select from review_authors as other
    where other.author_key = any(${to.keys}) and other.job = own.job
  )`;
  // Oldest key first, one statement per key, as in handOverDeeds: a rotation may be moving a row.
  let moved = 0;
  for (const old of from.keys.toReversed()) {
    moved += await rekeyAuthors(trx, [{ old, next: to.keyOfHandedOver(old, from) }], isDouble);
  }
  return moved;
}

const TABLES = {
  vote: { table: 'review_votes', key: 'voter_key' },
  report: { table: 'review_reports', key: 'reporter_key' },
  'reply-report': { table: 'reply_reports', key: 'reporter_key' },
} as const;

/**
 * Replaces older authorship keys with the current one in votes and reports. Each key is for one
 * review, so that nobody can join them. So this has to try every account on every review that has
 * any. Returns how many changed.
 */
export async function rotateDeedKeys(
  deps: Pick<Deps, 'db' | 'keys'>,
  deed: ReviewDeed,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const reviewIds = await reviewsWith(deps.db, deed);
  let changed = 0;
  for (const [at, reviewId] of reviewIds.entries()) {
    changed += await rekeyReview(deps, deed, reviewId, userIds);
    onProgress(at + 1, reviewIds.length);
  }
  return changed;
}

async function reviewsWith(db: Db, deed: ReviewDeed): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select review_id as id from ${sql.table(TABLES[deed].table)}
    group by review_id order by random()`.execute(db);
  return rows.map(({ id }) => id);
}

async function rekeyReview(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  deed: ReviewDeed,
  reviewId: string,
  userIds: readonly string[],
): Promise<number> {
  const { table, key } = TABLES[deed];
  const { rows } = await sql<{ key: Buffer }>`
    select ${sql.ref(key)} as key from ${sql.table(table)}
    where review_id = ${reviewId}`.execute(db);
  const unknown = new Set(rows.map((row) => row.key.toString('hex')));
  let changed = 0;
  for (const userId of userIds) {
    if (unknown.size === 0) break;
    const [current, ...older] = keys.deedKeys(deed, userId, reviewId);
    unknown.delete(current?.toString('hex') ?? '');
    for (const old of older.filter((one) => unknown.delete(one.toString('hex')))) {
      await sql`
        update ${sql.table(table)} set ${sql.ref(key)} = ${current}
        where review_id = ${reviewId} and ${sql.ref(key)} = ${old}`.execute(db);
      changed += 1;
    }
  }
  return changed;
}

/** Computing the keys for this many reviews takes about 10 ms of the event loop. */
const ROWS_AT_ONCE = 1000;

/**
 * Moves an account's votes or reports to another author's keys. Each key is for one review, so this
 * tries every review that has any, in id order. If the new author already has one, that one stays
 * and the other is deleted.
 */
async function handOverDeeds(trx: Db, deed: ReviewDeed, from: Author, to: Author): Promise<void> {
  for (let ids = await pageOfReviews(trx, deed, null); ids.length > 0; ) {
    // Oldest key first, one statement per key: if a concurrent rotation moves a row away from a
    // key, the statement for a newer key finds it.
    const reviews = ids.map((id) => ({
      id,
      olds: from.deedKeys(deed, id).toReversed(),
      next: to.deedKeys(deed, id)[0],
    }));
    for (const age of reviews[0]?.olds.keys() ?? []) {
      const pairs = reviews.map(({ id, olds, next }) => ({ id, old: olds[age], next }));
      await moveDeeds(trx, deed, pairs);
    }
    await yieldToRequests();
    ids = await pageOfReviews(trx, deed, ids.at(-1) ?? null);
  }
}

async function pageOfReviews(trx: Db, deed: ReviewDeed, after: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct review_id as id
    from (
      select review_id from ${sql.table(TABLES[deed].table)}
      where review_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      order by review_id limit ${sql.lit(ROWS_AT_ONCE)}
    ) as next
    order by review_id`.execute(trx);
  return rows.map(({ id }) => id);
}

async function moveDeeds(
  trx: Db,
  deed: ReviewDeed,
  pairs: readonly { id: string; old: Buffer | undefined; next: Buffer | undefined }[],
): Promise<void> {
  const table = sql.table(TABLES[deed].table);
  const key = sql.ref(TABLES[deed].key);
  await sql`
    with pair as materialized (
      select * from unnest(
        ${pairs.map(({ id }) => id)}::uuid[],
        ${pairs.map(({ old }) => old)}::bytea[],
        ${pairs.map(({ next }) => next)}::bytea[]
      ) as p (review_id, old, next)
    ), own as materialized (
      select pair.*, exists (
        select from ${table} as other
        where other.review_id = pair.review_id and other.${key} = pair.next
      ) as is_double
      from pair join ${table} as deed on deed.review_id = pair.review_id and deed.${key} = pair.old
    ), dropped as (
      delete from ${table} as deed using own
      where own.is_double and deed.review_id = own.review_id and deed.${key} = own.old
    )
    update ${table} as deed set ${key} = own.next from own
    where not own.is_double and deed.review_id = own.review_id and deed.${key} = own.old
  `.execute(trx);
}
