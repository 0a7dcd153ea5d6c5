import { sql } from 'kysely';
import type { Author } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { handOverDeeds } from './feedback/deed-keys.ts';
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
