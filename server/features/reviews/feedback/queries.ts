import { type Insertable, sql } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/**
 * Whether a published review is the author's own; undefined when there is none. Locked as a vote
 * will lock it, so that no two who vote at once wait for each other in a circle. The tables come
 * first (docs/architecture.md, "Lock order"): else a review that is being moved just then, deleted
 * in one place and there again in another, would not be found.
 */
export async function lockPublished(trx: Db, id: string, author: readonly Buffer[]) {
  await sql`lock table reviews, review_votes, review_reports in row exclusive mode`.execute(trx);
  return trx
    .selectFrom('reviews')
    .select((eb) => eb('author_key', '=', anyOf('bytea', author)).as('isOwn'))
    .where('id', '=', id)
    .where('removed_reason', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** One vote, by the person whom any of these keys stands for: the first is written. */
interface Ballot {
  reviewId: string;
  voter: readonly Buffer[];
  helpful: boolean;
}

/**
 * Turns the vote that stands under one of the keys, else adds one under the first. One statement,
 * so that a key which is being changed just then is found as it was or as it will be.
 */
export async function castVote(db: Db, { reviewId, voter, helpful }: Ballot) {
  await sql`
    with turned as (
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

/** Takes a vote back, if it stands as it is said to. */
export async function deleteVote(db: Db, { reviewId, voter, helpful }: Ballot) {
  await db
    .deleteFrom('review_votes')
    .where('review_id', '=', reviewId)
    .where('voter_key', '=', anyOf('bytea', voter))
    .where('helpful', '=', helpful)
    .execute();
}

/** Of the two counts, the one that everyone sees. */
export async function selectHelpfulCount(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('reviews')
    .select('helpful_count')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.helpful_count ?? 0;
}

/** Keeps the first report of a person: those under one of `reporter`. */
export async function insertReport(
  db: Db,
  report: Omit<Insertable<DB['review_reports']>, 'reporter_key'> & { review_id: string },
  reporter: readonly Buffer[],
) {
  const [reporter_key] = reporter;
  const [first] = await selectReported(db, [report.review_id], reporter);
  if (!reporter_key || first !== undefined) return;
  await db
    .insertInto('review_reports')
    .values({ ...report, reporter_key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function selectOwn(db: Db, ids: string[], author: readonly Buffer[]) {
  const rows = await db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', anyOf('uuid', ids))
    .where('author_key', '=', anyOf('bytea', author))
    .execute();
  return rows.map(({ id }) => id);
}

/** Keys are bound to their reviews: each can match one of them alone. */
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
