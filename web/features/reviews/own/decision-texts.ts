import type { OwnDecision } from '#contract/review-appeals.ts';
import type { OwnReview } from '#contract/reviews.ts';

interface DecisionTexts {
  headline: string;
  /** The reason, or a note from the moderator. */
  reason: string | null;
  /** What the author can do, or no longer do. */
  next: readonly string[];
  /** The decision behind it; null if there is none yet. */
  decision: OwnDecision | null;
}

/**
 * What happened to a review, in words for its author. Null if no moderator has changed anything.
 */
export function decisionTexts({
  removed_reason,
  decision,
}: Pick<OwnReview, 'removed_reason' | 'decision'>): DecisionTexts | null {
  if (removed_reason === null) return decision ? publicTexts(decision) : null;
  const isInForce = decision && decision.outcome !== 'restore' && !isOverturned(decision);
  return isInForce ? hiddenTexts(decision) : WAITING;
}

const WAITING: DecisionTexts = {
  headline: 'Hidden until a moderator has looked at it. Only you can see this review.',
  reason: null,
  next: [],
  decision: null,
};

const isOverturned = ({ appeal }: OwnDecision) => appeal?.outcome === 'overturn';

function publicTexts(decision: OwnDecision): DecisionTexts {
  const { outcome, note } = decision;
  if (!isOverturned(decision)) {
    return {
      headline: 'Restored by a moderator. This review is public again.',
      reason: note === '' ? null : `Note: ${note}`,
      next: [],
      decision,
    };
  }
  return {
    headline: 'Your appeal succeeded. This review is public again.',
    reason: `It was ${outcome === 'hold' ? 'hidden' : 'removed'} for this reason: ${note}`,
    next: [],
    decision,
  };
}

function hiddenTexts(decision: OwnDecision): DecisionTexts {
  const { note, may_edit, awaits_moderator, appeal, appeal_until } = decision;
  const isHeld = decision.outcome === 'hold';
  const isTooLate = !awaits_moderator && appeal === null && appeal_until === null;
  return {
    headline: hiddenHeadline(decision),
    reason: `Reason: ${note}`,
    next: [
      may_edit && 'You can edit it and submit it again. A moderator will then look at it again.',
      isHeld && appeal?.outcome === null && 'You can edit it once your appeal is decided.',
      isTooLate && 'The deadline to appeal has passed.',
    ].filter((text) => text !== false),
    decision,
  };
}

function hiddenHeadline({ outcome, may_edit, awaits_moderator }: OwnDecision): string {
  if (awaits_moderator) {
    return 'Resubmitted. Only you can see this review until a moderator has looked at it.';
  }
  if (may_edit) return 'Hidden by a moderator until you edit it. Only you can see this review.';
  return outcome === 'hold'
    ? 'Hidden by a moderator. Only you can see this review.'
    : 'Removed by a moderator. Only you can see this review.';
}
