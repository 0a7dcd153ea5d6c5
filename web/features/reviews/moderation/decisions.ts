import type { ClientActionFunctionArgs } from 'react-router';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import { api } from '#web/lib/session.ts';
import { writeAction } from '#web/lib/write.ts';

/** What a moderator can do with a review. */
export type Decision = 'remove' | 'keep' | 'restore';

interface DecisionTexts {
  action: string;
  question: string;
  done: string;
}

export const DECISIONS: Record<Decision, DecisionTexts> = {
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

/** One that is hidden while its reports are open is published again, or removed for good. */
export function decisionsFor({ review, reports }: ModeratedReview): Decision[] {
  if (review.removed_reason === null) return ['remove', 'keep'];
  return reports.length > 0 ? ['remove', 'restore'] : ['restore'];
}

export interface DecisionWrite {
  reviewId: string;
  decision: Decision;
  /** Of a removal. */
  reason: string;
}

/** The `clientAction` of the moderators' page. */
export const decide = writeAction(async ({ request }: ClientActionFunctionArgs) => {
  const { reviewId, decision, reason }: DecisionWrite = await request.json();
  const params = { id: reviewId };
  if (decision !== 'remove') return api.call(moderationEndpoints[decision], { params });
  return api.call(moderationEndpoints.remove, { params, body: { reason } });
});
