import { randomBytes } from 'node:crypto';
import { REPORT_PRIORITIES } from '#contract/cases.ts';
import type {
  ReportReason,
  ReportRequest,
  ReviewVotes,
  Vote,
  VoteResponse,
} from '#contract/reviews/review-feedback.ts';
import type { Author } from '#server/anonymity/author.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay, toMonth } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { holdCaller } from '#server/features/accounts/session/authentication.ts';
import type { Caller } from '#server/plugins/access.ts';
import * as queries from './queries.ts';

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
    const change = action === 'cast' ? queries.castVote : queries.deleteVote;
    await change(trx, { reviewId, voter, helpful: vote === 'helpful' });
    const [standing] = await queries.selectVotes(trx, [reviewId], voter);
    return {
      vote: standing ? kindOf(standing) : null,
      helpful_count: await queries.selectHelpfulCount(trx, reviewId),
    };
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
  await queries.insertReport(trx, report, [randomBytes(32)]);
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
  if (!(await queries.insertReport(trx, { ...report, reported_on }, reporter))) return;
  const priority = REPORT_PRIORITIES[reason];
  await openCase(trx, clock, { kind: 'report', subject: { review_id }, priority });
  const act = { actor: 'reader', action: 'report.receive', subject: review_id } as const;
  await recordAct(trx, clock, { ...act, details: { reason } });
}

async function requireOthers(deps: FeedbackDeps, trx: Db, caller: Caller, reviewId: string) {
  await holdCaller(deps, trx, caller);
  const review = await queries.lockPublished(trx, reviewId, caller.author.keys);
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
    queries.selectOwn(db, ids, author.keys),
    queries.selectVotes(db, ids, deeds('vote')),
    queries.selectReported(db, ids, deeds('report')),
  ]);
  const voted = (kind: Vote) =>
    votes.filter((vote) => kindOf(vote) === kind).map(({ review_id }) => review_id);
  return { own, helpful: voted('helpful'), not_helpful: voted('not_helpful'), reported };
}
