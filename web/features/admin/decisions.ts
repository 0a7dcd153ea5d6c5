import type { ModeratedReview } from '#contract/moderation.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';

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
      'The review leaves the public pages, and its ratings leave the averages. Its author alone still sees it, with your reason.',
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

/** `reason` goes with a removal alone. Throws an ApiError. */
export function decide(id: string, decision: Decision, reason: string): Promise<ModeratedReview> {
  const body = decision === 'remove' ? { reason } : undefined;
  return api.post<ModeratedReview>(apiPaths.adminReview(id, decision), body);
}
