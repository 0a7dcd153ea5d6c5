import type { ModeratedReply, RemovedTexts } from '#contract/review-moderation.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { moderatedReplies } from '#server/features/replies/replies/moderation.ts';
import { selectLastChanges } from '#server/features/reviews/moderation/decision-queries.ts';
import { isInForce } from '#server/features/reviews/moderation/decision-row.ts';
import { moderatedReviews } from '#server/features/reviews/moderation/service.ts';

/**
 * A review and its reply, if a moderator's decision about either is in force. Not a text that the
 * author has replaced since, and nothing else that is not public. Throws `not_found`.
 */
export async function removedTexts(
  deps: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<RemovedTexts> {
  const [[moderated], [replied]] = await Promise.all([
    moderatedReviews(deps, [id]),
    moderatedReplies(deps, [id]),
  ]);
  // After the text, which an edit may have replaced in between.
  const [last] = await selectLastChanges(deps.db, [id]);
  if (!moderated) throw new AppError('not_found');
  const { review } = moderated;
  const isRemoved = last !== undefined && isInForce(last);
  const isShown = isRemoved || review.removed_reason === null;
  const reply = isShown && replied && isOnlyRemoved(replied) ? replied.reply : null;
  if (!isRemoved && reply === null) throw new AppError('not_found');
  return {
    review,
    is_removed: isRemoved,
    reply: reply && { text: reply.text, replied_on: reply.replied_on },
  };
}

/** Neither deleted by its employer, nor of an employer that no longer has the review. */
const isOnlyRemoved = ({ reply }: ModeratedReply) =>
  reply.is_removed && !reply.is_deleted && reply.other_employer === null;
