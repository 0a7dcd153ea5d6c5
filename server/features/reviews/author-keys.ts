import { type RawBuilder, sql } from 'kysely';
import type { Author } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { handOverDeeds } from './feedback/deed-keys.ts';
import { RANDOM_KEY } from './queries.ts';
import { holdAuthor } from './scheduled/scheduled-queries.ts';

/** Authors whose reviews change in one statement. */
const AUTHORS_AT_ONCE = 500;

interface KeyPair {
  readonly old: Buffer;
  readonly next: Buffer | undefined;
}

/**
 * Replaces older authorship keys with the current one, in scheduled reviews first, so that one that
 * goes live in between is found among the others. The keys of reviews derive from account ids;
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
    changed += await inTransaction(db, async (trx) => {
      const scheduled = await rekey(trx, 'scheduled_reviews', pairs);
      return scheduled + (await rekey(trx, 'reviews', pairs));
    });
  }
  return changed;
}

/**
 * Moves an account's reviews, votes, and reports to another author's keys, in the lock order of
 * docs/architecture.md. If both authors reviewed the same job, the first one's review is left
 * without an author.
 */
export async function handOverReviews(trx: Db, from: Author, to: Author): Promise<void> {
  await holdAuthor(trx, [...from.keys, ...to.keys], null);
  const pairs = from.keys.map((old) => ({ old, next: to.keyOfHandedOver(old, from) }));
  for (const table of ['scheduled_reviews', 'reviews'] as const) {
    const isDouble = sql`exists (
      select from ${sql.table(table)} as other
      where other.author_key = any(${to.keys})
        and other.position_key = own.position_key and ${SAME_EMPLOYER[table]}
    )`;
    await rekey(trx, table, pairs, isDouble);
  }
  await handOverDeeds(trx, 'vote', from, to);
  await handOverDeeds(trx, 'report', from, to);
  await handOverDeeds(trx, 'reply-report', from, to);
}

const SAME_EMPLOYER = {
  reviews: sql`other.written_for = own.written_for`,
  scheduled_reviews: sql`other.employer_id is not distinct from own.employer_id
    and other.custom_employer_key is not distinct from own.custom_employer_key`,
} as const;

/** Replaces author keys. A review that matches `isDouble` gets a random key instead. */
async function rekey(
  trx: Db,
  table: 'scheduled_reviews' | 'reviews',
  pairs: readonly KeyPair[],
  isDouble: RawBuilder<unknown> = sql`false`,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with held as materialized (
      select id, pair.next, ${isDouble} as is_double
      from ${sql.table(table)} as own
      join unnest(
        ${pairs.map(({ old }) => old)}::bytea[],
        ${pairs.map(({ next }) => next)}::bytea[]
      ) as pair (old, next) on author_key = pair.old
      order by id for update of own
    )
    update ${sql.table(table)} as own
    set author_key = case when held.is_double then ${RANDOM_KEY} else held.next end
    from held where own.id = held.id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
