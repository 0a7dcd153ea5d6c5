import { randomBytes } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { REPORT_PRIORITIES } from '#contract/cases.ts';
import type {
  ReportReason,
  ReportRequest,
  ReviewVotes,
  Vote,
  VoteResponse,
} from '#contract/reviews/review-feedback.ts';
import type { Author } from '#server/anonymity/author.ts';
import { type Clock, toDay, toMonth } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { holdCaller } from '#server/features/accounts/session/authentication.ts';
import type { Caller } from '#server/plugins/access.ts';
import { isOwn, ownIds } from '../rows/review-authors.ts';

/**
 * Locks a published review, and returns whether it is the author's own; undefined if there is none.
 * Uses the same lock as a vote, so that concurrent votes do not deadlock. Locks the tables first
 * (docs/architecture.md, "Lock order"): otherwise it would miss a review that the nightly rewrite
 * is moving (deleting and inserting again).
 */
async function lockPublished(trx: Db, id: string, author: readonly Buffer[]) {
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
async function deleteVote(db: Db, { reviewId, voter, helpful }: Ballot) {
  await db
    .deleteFrom('review_votes')
    .where('review_id', '=', reviewId)
    .where('voter_key', '=', anyOf('bytea', voter))
    .where('helpful', '=', helpful)
    .execute();
}

/** The vote that a person has now, and the public count. */
async function selectStanding(
  db: Db,
  { reviewId, voter }: Pick<Ballot, 'reviewId' | 'voter'>,
): Promise<VoteResponse> {
  const { helpful, helpful_count } = await db
    .selectFrom('reviews')
    .select('helpful_count')
    .select((eb) =>
      eb
        .selectFrom('review_votes')
        .select('helpful')
        .where('review_id', '=', reviewId)
        .where('voter_key', '=', anyOf('bytea', voter))
        .limit(1)
        .as('helpful'),
    )
    .where('id', '=', reviewId)
    .executeTakeFirstOrThrow();
  return { vote: helpful === null ? null : kindOf({ helpful }), helpful_count };
}

/** Keeps only a person's first report. `reporter` has all keys of the person. */
async function insertReport(
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
async function selectVotes(db: Db, ids: string[], voter: readonly Buffer[]) {
  return db
    .selectFrom('review_votes')
    .select(['review_id', 'helpful'])
    .where('review_id', '=', anyOf('uuid', ids))
    .where('voter_key', '=', anyOf('bytea', voter))
    .execute();
}

async function selectReported(db: Db, ids: string[], reporter: readonly Buffer[]) {
  const rows = await db
    .selectFrom('review_reports')
    .select('review_id')
    .where('review_id', '=', anyOf('uuid', ids))
    .where('reporter_key', '=', anyOf('bytea', reporter))
    .execute();
  return rows.map(({ review_id }) => review_id);
}

type FeedbackDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/**
 * Casts a vote, replacing the caller's earlier one, or withdraws it. Withdrawing does not affect a
 * vote of the other kind. Throws `not_found`, and `own_review` for the author.
 */
export function changeVote(
  deps: FeedbackDeps,
  caller: Caller,
  { reviewId, vote, action }: { reviewId: string; vote: Vote; action: 'cast' | 'withdraw' },
): Promise<VoteResponse> {
  return inTransaction(deps.db, async (trx) => {
    await requireOthers(deps, trx, caller, reviewId);
    const voter = caller.author.deedKeys('vote', reviewId);
    const change = action === 'cast' ? castVote : deleteVote;
    await change(trx, { reviewId, voter, helpful: vote === 'helpful' });
    return selectStanding(trx, { reviewId, voter });
  });
}

const kindOf = ({ helpful }: { helpful: boolean }): Vote => (helpful ? 'helpful' : 'not_helpful');

/** Reports a review to the moderators. A second report by the same person changes nothing. */
export async function reportReview(
  deps: FeedbackDeps,
  caller: Caller,
  reviewId: string,
  { reason, note }: ReportRequest,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await requireOthers(deps, trx, caller, reviewId);
    const reporter = caller.author.deedKeys('report', reviewId);
    await addReport(trx, deps.clock, { review_id: reviewId, reason, note }, reporter);
  });
}

/**
 * Sends a held review that its author has edited back to the moderators. It has only the month: the
 * day would show when the author was online.
 */
export async function askAgain(trx: Db, clock: Clock, review_id: string): Promise<void> {
  const reported_on = toMonth(clock());
  const report = { review_id, reason: RESUBMITTED, reported_on };
  await insertReport(trx, report, [randomBytes(32)]);
  await openCase(trx, clock, {
    kind: 'report',
    subject: { review_id },
    priority: REPORT_PRIORITIES.other,
    isByMember: true,
  });
  await recordAct(trx, clock, { actor: 'author', action: 'review.resubmit', subject: review_id });
}

/** Used instead of a reason: not a report, and no report can have it. */
export const RESUBMITTED = 'resubmitted';

async function addReport(
  trx: Db,
  clock: Clock,
  report: { review_id: string; reason: ReportReason; note?: string },
  reporter: readonly Buffer[],
): Promise<void> {
  const { review_id, reason } = report;
  const reported_on = toDay(clock());
  if (!(await insertReport(trx, { ...report, reported_on }, reporter))) return;
  const priority = REPORT_PRIORITIES[reason];
  await openCase(trx, clock, { kind: 'report', subject: { review_id }, priority });
  const act = { actor: 'reader', action: 'report.receive', subject: review_id } as const;
  await recordAct(trx, clock, { ...act, details: { reason } });
}

async function requireOthers(deps: FeedbackDeps, trx: Db, caller: Caller, reviewId: string) {
  await holdCaller(deps, trx, caller);
  const review = await lockPublished(trx, reviewId, caller.author.keys);
  if (!review) throw new AppError('not_found');
  if (review.isOwn) throw new AppError('own_review');
}

/** Which of these reviews the caller wrote, voted on, or reported. */
export async function votesOf(
  { db }: Pick<Deps, 'db'>,
  author: Author,
  ids: string[],
): Promise<ReviewVotes> {
  if (ids.length === 0) return { own: [], helpful: [], not_helpful: [], reported: [] };
  const deeds = (deed: 'vote' | 'report') => ids.flatMap((id) => author.deedKeys(deed, id));
  const [own, votes, reported] = await Promise.all([
    selectOwn(db, ids, author.keys),
    selectVotes(db, ids, deeds('vote')),
    selectReported(db, ids, deeds('report')),
  ]);
  const voted = (kind: Vote) =>
    votes.filter((vote) => kindOf(vote) === kind).map(({ review_id }) => review_id);
  return { own, helpful: voted('helpful'), not_helpful: voted('not_helpful'), reported };
}
