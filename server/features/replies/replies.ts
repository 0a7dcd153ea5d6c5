import type { ReviewRule } from '#contract/review-rules.ts';
import { REPLY_MESSAGES, type RemovedReply, type Reply } from '#contract/reviews/review-replies.ts';
import { screen } from '#contract/reviews/screening.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { markEdited } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, refuseIdentifyingText } from '#server/errors/app-error.ts';
import {
  holdRepresentative,
  representedEmployer,
} from '#server/features/replies/representatives/representatives.ts';
import * as queries from '#server/features/reviews/rows/reply-queries.ts';
import type { Caller } from '#server/plugins/access.ts';

type ReplyDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Writes the employer's reply to a review. Throws `not_found` for a review that is not public,
 * belongs to another employer, or does not exist, so that a representative cannot distinguish
 * these. Throws `reply_exists`, `reply_removed`, and `identifying_text`.
 */
export function writeReply(
  { db, clock }: ReplyDeps,
  caller: Caller,
  reviewId: string,
  text: string,
): Promise<Reply> {
  refuseIdentifying(text);
  return inTransaction(db, async (trx) => {
    const employer_id = await holdReviewed(trx, caller, reviewId);
    const before = await queries.findReply(trx, reviewId);
    if (before?.removed) throw new AppError('reply_removed');
    if (before?.deleted === false) throw new AppError('reply_exists');
    const reply = { text, replied_on: toDay(clock()) };
    const row = { review_id: reviewId, employer_id, written_by: caller.userId, ...reply };
    await queries.putReply(trx, row);
    await markEdited(trx, 'reply', reviewId);
    return reply;
  });
}

/** Changes the reply, even if another representative wrote it. Throws like `deleteReply`. */
export function editReply(
  { db, clock }: ReplyDeps,
  caller: Caller,
  reviewId: string,
  text: string,
): Promise<Reply> {
  refuseIdentifying(text);
  return inTransaction(db, async (trx) => {
    const employer_id = await holdReviewed(trx, caller, reviewId);
    await requireReply(trx, reviewId);
    const reply = { text, replied_on: toDay(clock()) };
    // Before a merge, another employer may have written it.
    const change = { ...reply, employer_id, written_by: caller.userId };
    await queries.updateReply(trx, reviewId, change);
    await markEdited(trx, 'reply', reviewId);
    return reply;
  });
}

/**
 * Deletes the reply. Moderators keep one that was reported, which the response does not reveal: the
 * author may have reported it. Throws `not_found`, and `reply_removed` for one that a moderator
 * removed.
 */
export function deleteReply(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  reviewId: string,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await holdReviewed(trx, caller, reviewId);
    await requireReply(trx, reviewId);
    await queries.deleteReply(trx, reviewId);
  });
}

/** The replies of the caller's employer that a moderator removed. */
export async function removedReplies(
  { db }: Pick<Deps, 'db'>,
  { userId }: Caller,
): Promise<RemovedReply[]> {
  const rows = await queries.selectRemoved(db, await representedEmployer(db, userId));
  return rows.map(({ review_id, text, rule, note, decided_on }) => ({
    review_id,
    text,
    rule: rule as ReviewRule,
    reason: note,
    decided_on: decided_on ?? '',
  }));
}

/**
 * Deletes what an account has written for an employer that it does not represent, in the
 * transaction of that decision, even if the account no longer exists. Returns the number of
 * replies.
 */
export async function withdrawReplies(trx: Db, userId: string): Promise<number> {
  await queries.lockReviews(trx, await queries.selectWrittenBy(trx, userId));
  // Another representative may just have changed one.
  const ids = await queries.selectWrittenBy(trx, userId);
  for (const id of ids) await queries.deleteReply(trx, id);
  return ids.length;
}

/** Locks the representative, and then the review. Returns the employer. */
async function holdReviewed(trx: Db, { userId }: Caller, reviewId: string): Promise<number> {
  const employerId = await holdRepresentative(trx, userId);
  const [review] = await queries.lockReviews(trx, [reviewId]);
  if (review?.employer_id !== employerId || review.removed_reason !== null) {
    throw new AppError('not_found');
  }
  return employerId;
}

async function requireReply(trx: Db, reviewId: string): Promise<void> {
  const reply = await queries.findReply(trx, reviewId);
  if (reply?.removed) throw new AppError('reply_removed');
  if (reply?.deleted !== false) throw new AppError('not_found');
}

/** The same screening as that of a review. */
const refuseIdentifying = (text: string) =>
  refuseIdentifyingText(screen({ text }), REPLY_MESSAGES.identifying);
