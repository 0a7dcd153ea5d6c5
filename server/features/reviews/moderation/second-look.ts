import { randomInt } from 'node:crypto';
import { SECOND_LOOK_PERCENT } from '#contract/limits.ts';
import type { DecisionOutcome, ReviewRule } from '#contract/review-rules.ts';
import type {
  ModeratedReview,
  SecondLook,
  SecondLookRequest,
} from '#contract/reviews/review-moderation.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { closeCases, decide, openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { countModerators } from '#server/features/accounts/identity/profiles.ts';
import { selectByIds } from '#server/features/reviews/rows/queries.ts';
import { toReviewRecord } from '#server/features/reviews/rows/review-row.ts';
import { selectLastDecisions } from './decision-queries.ts';
import {
  lockReview,
  type ModerationDeps,
  reviewVersion,
  selectAnswered,
  splitReports,
} from './moderated-reviews.ts';

const KIND = ['second_look'] as const;

/**
 * Opens a case for another moderator about a random share of the decisions, or about this one for
 * certain. With a single moderator, nobody else could look.
 */
export async function drawSecondLook(
  trx: Db,
  clock: Clock,
  review_id: string,
  { decidedBy, isCertain }: { decidedBy: string; isCertain: boolean },
): Promise<void> {
  if (!isCertain && randomInt(100) >= SECOND_LOOK_PERCENT) return;
  if ((await countModerators(trx)) < 2) return;
  const subject = { review_id };
  await openCase(trx, clock, { kind: 'second_look', subject, priority: 3, decidedBy });
}

/** The review is decided again, or has another text: there is nothing left to compare. */
export const dropSecondLook = (trx: Db, review_id: string): Promise<number> =>
  closeCases(trx, { kinds: KIND, subject: { review_id } });

/**
 * The review as it was reported, without the decision; null if it has been deleted. The last
 * decision may have answered no report: deciding again would hide them from a second look.
 */
export async function undecidedReview(
  { db, clock }: ModerationDeps,
  id: string,
): Promise<ModeratedReview | null> {
  const [[row], answered] = await Promise.all([selectByIds(db, [id]), selectAnswered(db, id)]);
  if (!row) return null;
  const review = { ...toReviewRecord(row, clock()), removed_reason: null };
  const version = reviewVersion(review);
  const last = Math.max(...answered.map(({ decision }) => decision ?? 0));
  const reports = answered
    .filter(({ decision }) => decision === last)
    .map(({ decision: _, ...report }) => report);
  // An edit closes the case.
  return { review, ...splitReports(reports), is_edited: false, is_held: false, version };
}

/**
 * Compares what another moderator would have decided with the last decision, and closes the case.
 * Does not change the review. Throws `not_found`, `case_closed`, `case_claimed`, and
 * `own_decision`.
 */
export function lookAgain(
  deps: ModerationDeps,
  actor: string,
  id: string,
  { verdict, case_id }: SecondLookRequest,
): Promise<SecondLook> {
  const subject = { review_id: id };
  return decide(deps, {
    kinds: KIND,
    subject,
    actor,
    case_id,
    async lock(trx) {
      if (!(await lockReview(trx, id))) return;
      const [decision] = await selectLastDecisions(trx, [id]);
      if (!decision) throw new AppError('case_closed');
      if (decision.decided_by === actor) throw new AppError('own_decision');
      return decision;
    },
    async change(_, decision) {
      const outcome = decision.outcome as DecisionOutcome;
      const rule = decision.rule as ReviewRule;
      const agrees = (verdict === 'hide') === (outcome === 'remove' || outcome === 'hold');
      const action = agrees ? 'second-look.agree' : 'second-look.differ';
      const answer = { agrees, outcome, rule, note: decision.note };
      return { act: { action, details: { rule } }, answer };
    },
  });
}
