import { randomBytes } from 'node:crypto';
import type { ReportRequest, ReviewVotes, Vote, VoteResponse } from '#contract/review-feedback.ts';
import type { Author } from '#server/anonymity/author.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Clock, Deps } from '#server/deps.ts';
import { holdCaller } from '#server/features/accounts/service.ts';
import type { Caller } from '#server/plugins/access.ts';
import * as queries from './queries.ts';

type FeedbackDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/**
 * Casts a vote, replacing the caller's earlier one, or withdraws it. Withdrawing leaves a vote of the
 * other kind alone. Throws `not_found`, and `own_review` for the author.
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

/** Opens a case for the moderators without a reporter. */
export function askModerators(trx: Db, clock: Clock, reviewId: string): Promise<void> {
  const reported_on = toDay(clock());
  const report = { review_id: reviewId, reason: 'not_genuine', reported_on } as const;
  return queries.insertReport(trx, report, [randomBytes(32)]);
}

/** Reports a review to the moderators. A second report by the same person changes nothing. */
export async function reportReview(
  deps: FeedbackDeps,
  caller: Caller,
  reviewId: string,
  { reason, note }: ReportRequest,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await requireOthers(deps, trx, caller, reviewId);
    await queries.insertReport(
      trx,
      { review_id: reviewId, reason, note, reported_on: toDay(deps.clock()) },
      caller.author.deedKeys('report', reviewId),
    );
  });
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
