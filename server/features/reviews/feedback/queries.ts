import { type Insertable, sql } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import { isOwn, ownIds } from '#server/features/reviews/rows/review-authors.ts';

/**
 * Locks a published review, and returns whether it is the author's own; undefined if there is none.
 * Uses the same lock as a vote, so that concurrent votes do not deadlock. Locks the tables first
 * (docs/architecture.md, "Lock order"): otherwise it would miss a review that the nightly rewrite
 * is moving (deleting and inserting again).
 */
export async function lockPublished(trx: Db, id: string, author: readonly Buffer[]) {
  await sql`lock table reviews, review_votes, review_reports in row exclusive mode`.execute(trx);
  return trx
    .selectFrom('reviews')
    .select(isOwn(id, author).as('isOwn'))
    .where('id', '=', id)
    .where('removed_reason', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** A vote. `voter` has all keys of the person; the first one is written. */
interface Ballot {
  reviewId: string;
  voter: readonly Buffer[];
  helpful: boolean;
}

/**
 * Changes the vote under any of the keys, or adds one under the first key. In one statement, to
 * find a vote whose key is being rotated under either the old or the new key.
 */
export async function castVote(db: Db, { reviewId, voter, helpful }: Ballot) {
  await sql`
    with changed as (
      update review_votes set helpful = ${helpful}
      where review_id = ${reviewId} and voter_key = any(${voter}) and helpful <> ${helpful}
    )
    insert into review_votes (review_id, voter_key, helpful)
    select ${reviewId}, ${voter[0]}, ${helpful}
    where not exists (
      select from review_votes where review_id = ${reviewId} and voter_key = any(${voter})
    )
    on conflict (review_id, voter_key) do update set helpful = excluded.helpful`.execute(db);
}

/** Deletes a vote if it has this value. */
export async function deleteVote(db: Db, { reviewId, voter, helpful }: Ballot) {
  await db
    .deleteFrom('review_votes')
    .where('review_id', '=', reviewId)
    .where('voter_key', '=', anyOf('bytea', voter))
    .where('helpful', '=', helpful)
    .execute();
}

/** The public count. */
export async function selectHelpfulCount(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('reviews')
    .select('helpful_count')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.helpful_count ?? 0;
}

/** Keeps only a person's first report. `reporter` has all keys of the person. */
export async function insertReport(
  db: Db,
  report: Omit<Insertable<DB['review_reports']>, 'reporter_key'> & { review_id: string },
  reporter: readonly Buffer[],
): Promise<boolean> {
  const [reporter_key] = reporter;
  const [first] = await selectReported(db, [report.review_id], reporter);
  if (!reporter_key || first !== undefined) return false;
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('review_reports')
    .values({ ...report, reporter_key })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The author's own among these published or removed reviews. */
export async function selectOwn(db: Db, ids: string[], author: readonly Buffer[]) {
  const rows = await db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', anyOf('uuid', ids))
    .where('id', '=', ownIds(author))
    .execute();
  return rows.map(({ id }) => id);
}

/** Each key is for one review, so it matches at most one vote. */
export async function selectVotes(db: Db, ids: string[], voter: readonly Buffer[]) {
  return db
    .selectFrom('review_votes')
    .select(['review_id', 'helpful'])
    .where('review_id', '=', anyOf('uuid', ids))
    .where('voter_key', '=', anyOf('bytea', voter))
    .execute();
}

export async function selectReported(db: Db, ids: string[], reporter: readonly Buffer[]) {
  const rows = await db
    .selectFrom('review_reports')
    .select('review_id')
    .where('review_id', '=', anyOf('uuid', ids))
    .where('reporter_key', '=', anyOf('bytea', reporter))
    .execute();
  return rows.map(({ review_id }) => review_id);
}
