import {
  REJECTION_UNDONE,
  REJECTIONS,
  type RejectionKey,
} from '#contract/employers/employer-rejections.ts';
import { DAY_MS } from '#contract/limits.ts';
import type { DecisionOutcome, DecisionSource, ReviewRule } from '#contract/review-rules.ts';
import type {
  DecisionGrounds,
  KeepingRequest,
  ModeratedReview,
  RemovalRequest,
} from '#contract/reviews/review-moderation.ts';
import { type Clock, toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { closeCases, type DecidedAct, decide } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { updateReview } from '#server/features/reviews/rows/queries.ts';
import {
  answerAppeal,
  insertDecision,
  isAppealOpen,
  selectLastChanges,
} from './decision-queries.ts';
import {
  closeReports,
  currentVersion,
  type DecidedReview,
  lockReview,
  type ModerationDeps,
  moderatedReview,
  selectIdsOf,
} from './moderated-reviews.ts';
import { drawSecondLook, dropSecondLook } from './second-look.ts';

/** The grounds in a request: its text is `reason` if it hides something, otherwise `note`. */
export function groundsOf(body: RemovalRequest | KeepingRequest): DecisionGrounds {
  if (body === null) return { rule: 'general', note: '' };
  if (!('reason' in body)) return body;
  const { reason: note, ...grounds } = body;
  return { ...grounds, note };
}

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
      const wasDrawn = (await dropSecondLook(trx, id)) > 0;
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
async function storeDecision(
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
    await closeCases(trx, { kinds: ['report'], subject: { review_id: reviewId } });
    await dropSecondLook(trx, reviewId);
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
      await closeCases(trx, { kinds: ['appeal'], subject: { review_id: reviewId } });
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
