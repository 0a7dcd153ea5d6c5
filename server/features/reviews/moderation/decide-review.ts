import { DAY_MS } from '#contract/limits.ts';
import type { DecisionOutcome, DecisionSource } from '#contract/review-rules.ts';
import type { DecisionGrounds, ModeratedReview } from '#contract/reviews/review-moderation.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { type DecidedAct, decide } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { updateReview } from '#server/features/reviews/rows/queries.ts';
import { insertDecision } from './decision-queries.ts';
import {
  closeReports,
  currentVersion,
  type DecidedReview,
  lockReview,
  type ModerationDeps,
  moderatedReview,
} from './moderated-reviews.ts';
import { drawSecondLook, dropSecondLook } from './second-look.ts';

interface ReviewDecision extends DecisionGrounds {
  readonly reviewId: string;
  readonly outcome: DecisionOutcome;
}

/**
 * Decides about a review, and closes its reports and its case:
 * - `remove`: only its author still sees it, with the note. It can be deleted, but not edited.
 * - `hold`: the same, but its author may edit it, which sends it back to the moderators.
 * - `restore`: publishes a hidden review again.
 * - `keep`: changes nothing, but publishes a review that its author has resubmitted.
 * Triggers update averages and counts in the same transaction. `actor` is a moderator's account id.
 * Throws `not_found`, `appeal_open`, `case_closed`, `case_claimed`, `changed_meanwhile`, and
 * `employer_rejected` for publishing a review whose employer was rejected.
 */
export function decideReview(
  deps: ModerationDeps,
  actor: string,
  decision: ReviewDecision,
): Promise<ModeratedReview> {
  const { reviewId: id, case_id, version } = decision;
  const subject = { review_id: id };
  return decide<DecidedReview, ModeratedReview>(deps, {
    kinds: ['report'],
    subject,
    actor,
    case_id,
    version,
    async lock(trx) {
      const before = await lockReview(trx, id);
      if (before?.hasOpenAppeal) throw new AppError('appeal_open');
      // Somebody else has hidden or restored it meanwhile. Keeping it would void the author's appeal.
      const isChanged = decision.outcome === (before?.isHidden ? 'keep' : 'restore');
      if (before && isChanged && before.reportedOn === null && !before.isResubmitted) {
        throw new AppError('case_closed');
      }
      return before;
    },
    currentVersion: (_, trx) => currentVersion({ ...deps, db: trx }, id),
    async change(trx, before) {
      // A moderator cannot get rid of a second look by deciding again: the new decision gets one.
      const wasDrawn = (await dropSecondLook(trx, deps.clock, id)) > 0;
      const act = await storeDecision(trx, deps, actor, decision, before);
      await drawSecondLook(trx, deps.clock, id, { decidedBy: actor, isCertain: wasDrawn });
      await changeReview(trx, decision, before);
      return { act, answer: await moderatedReview({ ...deps, db: trx }, id) };
    },
  });
}

/** Also of a decision that was made about the employer. */
type Grounded = Omit<ReviewDecision, 'source' | 'case_id' | 'version'> & {
  readonly source?: DecisionSource | undefined;
};

/** The outcome for the log and the author: only a hidden review can be restored. */
function meantBy(outcome: DecisionOutcome, { isHidden }: DecidedReview): DecisionOutcome {
  if (isHiding(outcome)) return outcome;
  return isHidden ? 'restore' : 'keep';
}

const isHiding = (outcome: DecisionOutcome) => outcome === 'remove' || outcome === 'hold';

/**
 * Stores the decision for the author and the reporters. Returns its public part for the log.
 */
export async function storeDecision(
  trx: Db,
  { clock }: Pick<ModerationDeps, 'clock'>,
  actor: string,
  { reviewId, outcome, rule, note, ...given }: Grounded,
  before: DecidedReview,
): Promise<DecidedAct> {
  const { reportedOn } = before;
  const source = given.source ?? (reportedOn === null ? 'moderator' : 'report');
  const meant = meantBy(outcome, before);
  const decision = await insertDecision(trx, {
    review_id: reviewId,
    decided_on: toDay(clock()),
    outcome: meant,
    rule,
    note,
    source,
    decided_by: actor,
  });
  await closeReports(trx, decision);
  const days = reportedOn !== null && daysBetween(reportedOn, decision.decided_on);
  const details = { rule, source, ...(days !== false && { days }) };
  return { action: `review.${meant}`, details };
}

const daysBetween = (from: string, until: string) =>
  Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS);

async function changeReview(
  trx: Db,
  { reviewId, outcome, note }: ReviewDecision,
  { isHidden }: DecidedReview,
): Promise<void> {
  if (isHiding(outcome)) await updateReview(trx, reviewId, { removed_reason: note });
  else if (isHidden) await updateReview(trx, reviewId, { removed_reason: null });
}
