import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { replyDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { type DecisionOutcome, REVIEW_RULE_KEYS, REVIEW_RULES } from '#contract/review-rules.ts';
import type { ModeratedReview } from '#contract/reviews/review-moderation.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const DECISIONS: Record<DecisionOutcome, Record<'action' | 'question' | 'done', string>> = {
  remove: {
    action: 'Remove review',
    question:
      'The review will no longer be public, and its ratings will no longer count. Only its author will still see it, with your reason.',
    done: 'The review has been removed. The author can read your reason.',
  },
  hold: {
    action: 'Hide until edited',
    question:
      'The review will no longer be public, and its ratings will no longer count. Its author will see your reason and may edit the review. It will then show up here again.',
    done: 'The review is hidden until its author edits it.',
  },
  keep: {
    action: 'Keep review',
    question: 'The review will stay as it is, and its reports will be closed.',
    done: 'The review stays, and its reports are closed.',
  },
  restore: {
    action: 'Restore review',
    question: 'The review will return to the public pages, and its ratings will count again.',
    done: 'The review has been restored.',
  },
};

/** A hidden review that awaits a decision is either restored or hidden for good. */
export function decisionsFor(moderated: ModeratedReview): DecisionOutcome[] {
  const { review, appeal } = moderated;
  if (appeal) return [];
  if (review.removed_reason === null) return ['remove', 'hold', 'keep'];
  return awaitsDecision(moderated) ? ['remove', 'hold', 'restore'] : ['restore'];
}

export const awaitsDecision = ({ reports, is_resubmitted }: ModeratedReview) =>
  reports.length > 0 || is_resubmitted;

/** The reason once a rule is chosen: the rule's text to start from, unless something was typed. */
export function reasonFor(chosen: string, reason: string): string {
  const rule = REVIEW_RULE_KEYS.find((one) => one === chosen);
  const isTyped =
    reason.trim() !== '' && REVIEW_RULE_KEYS.every((one) => REVIEW_RULES[one].reason !== reason);
  return rule === undefined || isTyped ? reason : REVIEW_RULES[rule].reason;
}

export const moderationWrites = pageWrites({
  remove: call(moderationEndpoints.remove),
  decideAppeal: call(moderationEndpoints.decideAppeal),
  hold: call(moderationEndpoints.hold),
  keep: call(moderationEndpoints.keep),
  secondLook: call(moderationEndpoints.secondLook),
  keep_reply: call(replyDecisionEndpoints.keep),
  remove_reply: call(replyDecisionEndpoints.remove),
  restore: call(moderationEndpoints.restore),
});
