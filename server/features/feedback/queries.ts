import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/**
 * Whether a published review is the author's own; undefined when there is none. Locked as a vote
 * will lock it, so that no two who vote at once wait for each other in a circle. The tables come
 * first, in the order of the nightly rewrite: else a review that is being moved just then, deleted
 * in one place and there again in another, would not be found.
 */
export async function lockPublished(trx: Db, id: string, author: readonly Buffer[]) {
  await sql`lock table review_votes, review_reports, reviews in row exclusive mode`.execute(trx);
  return trx
    .selectFrom('reviews')
    .select((eb) => eb('author_key', 'in', author).as('isOwn'))
    .where('id', '=', id)
    .where('removed_reason', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Adds a vote, unless one of these keys stands for one already. */
export async function insertVote(db: Db, reviewId: string, voter: readonly Buffer[]) {
  const [voter_key] = voter;
  if (!voter_key || (await hasVoted(db, reviewId, voter))) return;
  await db
    .insertInto('review_votes')
    .values({ review_id: reviewId, voter_key, helpful: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function hasVoted(db: Db, reviewId: string, voter: readonly Buffer[]): Promise<boolean> {
  const [vote] = await selectVoted(db, [reviewId], voter);
  return vote !== undefined;
}

export async function deleteVote(db: Db, reviewId: string, voter: readonly Buffer[]) {
  await db
    .deleteFrom('review_votes')
    .where('review_id', '=', reviewId)
    .where('voter_key', 'in', voter)
    .execute();
}

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
    .where('id', 'in', ids)
    .where('author_key', 'in', author)
    .execute();
  return rows.map(({ id }) => id);
}

/** Keys are bound to their reviews: each can match one of them alone. */
export async function selectVoted(db: Db, ids: string[], voter: readonly Buffer[]) {
  const rows = await db
    .selectFrom('review_votes')
    .select('review_id')
    .where('review_id', 'in', ids)
    .where('voter_key', 'in', voter)
    .execute();
  return rows.map(({ review_id }) => review_id);
}

export async function selectReported(db: Db, ids: string[], reporter: readonly Buffer[]) {
  const rows = await db
    .selectFrom('review_reports')
    .select('review_id')
    .where('review_id', 'in', ids)
    .where('reporter_key', 'in', reporter)
    .execute();
  return rows.map(({ review_id }) => review_id);
}
