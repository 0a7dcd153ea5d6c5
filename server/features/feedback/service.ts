import type { HelpfulResponse, ReportRequest, ReviewVotes } from '#contract/feedback.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './queries.ts';

type FeedbackDeps = Pick<Deps, 'db' | 'keys'>;

/** Marks a review as helpful, once. Throws `not_found`, and `own_review` for the author. */
export function voteHelpful(
  deps: FeedbackDeps,
  userId: string,
  reviewId: string,
): Promise<HelpfulResponse> {
  return deps.db.transaction().execute(async (trx) => {
    await requireOthers(deps, trx, userId, reviewId);
    await queries.insertVote(trx, reviewId, deps.keys.deedKeys('vote', userId, reviewId));
    return { helpful: true, helpful_count: await queries.selectHelpfulCount(trx, reviewId) };
  });
}

/** Takes the mark back, if there was one. Throws as `voteHelpful` does. */
export function unvoteHelpful(
  deps: FeedbackDeps,
  userId: string,
  reviewId: string,
): Promise<HelpfulResponse> {
  return deps.db.transaction().execute(async (trx) => {
    await requireOthers(deps, trx, userId, reviewId);
    await queries.deleteVote(trx, reviewId, deps.keys.deedKeys('vote', userId, reviewId));
    return { helpful: false, helpful_count: await queries.selectHelpfulCount(trx, reviewId) };
  });
}

/** Tells the moderators of a review; a second report of one person changes nothing. */
export async function reportReview(
  deps: FeedbackDeps & Pick<Deps, 'clock'>,
  userId: string,
  reviewId: string,
  { reason, note }: ReportRequest,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await requireOthers(deps, trx, userId, reviewId);
    await queries.insertReport(
      trx,
      { review_id: reviewId, reason, note, reported_on: toDay(deps.clock()) },
      deps.keys.deedKeys('report', userId, reviewId),
    );
  });
}

async function requireOthers({ keys }: FeedbackDeps, trx: Db, userId: string, reviewId: string) {
  const review = await queries.lockPublished(trx, reviewId, keys.authorKeys(userId));
  if (!review) throw new AppError('not_found');
  if (review.isOwn) throw new AppError('own_review');
}

/** What the caller has to do with these reviews. */
export async function votesOf(
  { db, keys }: FeedbackDeps,
  userId: string,
  ids: string[],
): Promise<ReviewVotes> {
  if (ids.length === 0) return { own: [], helpful: [], reported: [] };
  const deeds = (deed: 'vote' | 'report') => ids.flatMap((id) => keys.deedKeys(deed, userId, id));
  const [own, helpful, reported] = await Promise.all([
    queries.selectOwn(db, ids, keys.authorKeys(userId)),
    queries.selectVoted(db, ids, deeds('vote')),
    queries.selectReported(db, ids, deeds('report')),
  ]);
  return { own, helpful, reported };
}
