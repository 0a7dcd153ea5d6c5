import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import { call, pageWrites } from '#web/lib/write.ts';

/** What a moderator can do with a review. */
export type Decision = 'remove' | 'keep' | 'restore';

export const DECISIONS: Record<Decision, Record<'action' | 'question' | 'done', string>> = {
  remove: {
    action: 'Remove review',
    question:
      'The review is no longer public, and its ratings no longer count. Its author alone still sees it, with your reason.',
    done: 'The review has been removed. Its author can read your reason.',
  },
  keep: {
    action: 'Keep review',
    question: 'The review stays as it is, and its reports are closed.',
    done: 'The review stays, and its reports are closed.',
  },
  restore: {
    action: 'Restore review',
    question: 'The review returns to the public pages, and its ratings count again.',
    done: 'The review has been restored.',
  },
};

/** A review that was hidden because of its reports is either restored or removed for good. */
export function decisionsFor({ review, reports }: ModeratedReview): Decision[] {
  if (review.removed_reason === null) return ['remove', 'keep'];
  return reports.length > 0 ? ['remove', 'restore'] : ['restore'];
}

export const moderationWrites = pageWrites({
  remove: call(moderationEndpoints.remove),
  keep: call(moderationEndpoints.keep),
  restore: call(moderationEndpoints.restore),
});
