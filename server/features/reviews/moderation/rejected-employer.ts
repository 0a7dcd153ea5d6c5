import {
  REJECTION_UNDONE,
  REJECTIONS,
  type RejectionKey,
} from '#contract/employers/employer-rejections.ts';
import type { ReviewRule } from '#contract/review-rules.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { closeCases } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { updateReview } from '#server/features/reviews/rows/queries.ts';
import { storeDecision } from './decide-review.ts';
import { answerAppeal, isAppealOpen, selectLastChanges } from './decision-queries.ts';
import { lockReview, selectIdsOf } from './moderated-reviews.ts';
import { dropSecondLook } from './second-look.ts';

const SOURCE = 'employer';

/**
 * Hides the public reviews of an employer that a curator rejects, each by a decision that its author
 * reads and can appeal. Reviews that a moderator has hidden stay as they are. `lockReviews` comes
 * first. Returns how many were hidden.
 */
export async function hideReviewsOf(
  trx: Db,
  clock: Clock,
  actor: string,
  { employerId, rejection }: { employerId: number; rejection: RejectionKey },
): Promise<number> {
  const { rule, note } = REJECTIONS[rejection];
  const ids = await selectIdsOf(trx, employerId, { isHidden: false });
  for (const reviewId of ids) {
    const before = await lockReview(trx, reviewId);
    if (!before) continue;
    // A claim of a moderator does not count: the curator must not learn that there is a report.
    await closeCases(trx, clock, { kinds: ['report'], subject: { review_id: reviewId } });
    await dropSecondLook(trx, clock, reviewId);
    const decision = { reviewId, outcome: 'remove', rule, note, source: SOURCE } as const;
    const act = await storeDecision(trx, { clock }, actor, decision, before);
    await recordAct(trx, clock, { actor, subject: reviewId, ...act });
    await updateReview(trx, reviewId, { removed_reason: note });
  }
  return ids.length;
}

/**
 * Publishes the reviews again that a rejection of their employer hid, and grants their appeals that
 * wait. Returns how many.
 */
export async function restoreReviewsOf(
  trx: Db,
  clock: Clock,
  actor: string,
  employerId: number,
): Promise<number> {
  const ids = await selectIdsOf(trx, employerId, { isHidden: true });
  const hiddenWithIt = (await selectLastChanges(trx, ids)).filter(
    ({ source }) => source === SOURCE,
  );
  for (const decision of hiddenWithIt) {
    const { review_id: reviewId } = decision;
    const before = await lockReview(trx, reviewId);
    if (!before) continue;
    const rule = decision.rule as ReviewRule;
    if (isAppealOpen(decision)) {
      await closeCases(trx, clock, { kinds: ['appeal'], subject: { review_id: reviewId } });
      const answer = { answer: REJECTION_UNDONE, answered_on: toDay(clock()) };
      await answerAppeal(trx, decision.id, { outcome: 'overturn', ...answer });
      const action = 'appeal.overturn';
      await recordAct(trx, clock, { actor, action, subject: reviewId, details: { rule } });
    } else {
      const note = REJECTION_UNDONE;
      const restored = { reviewId, outcome: 'restore', rule, note, source: SOURCE } as const;
      const act = await storeDecision(trx, { clock }, actor, restored, before);
      await recordAct(trx, clock, { actor, subject: reviewId, ...act });
    }
    await updateReview(trx, reviewId, { removed_reason: null });
  }
  return hiddenWithIt.length;
}
