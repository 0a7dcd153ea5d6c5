import type { AppealDecisionRequest } from '#contract/reviews/review-appeals.ts';
import type { ModeratedReview } from '#contract/reviews/review-moderation.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { decide, openCase } from '#server/cases/cases.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { countModerators } from '#server/features/accounts/identity/profiles.ts';
import { confirmCaller } from '#server/features/accounts/session/authentication.ts';
import { ownReview } from '#server/features/reviews/moderation/own-reviews.ts';
import { lockOwn, updateReview } from '#server/features/reviews/rows/queries.ts';
import { holdAuthor } from '#server/features/reviews/rows/scheduled-queries.ts';
import type { Caller } from '#server/plugins/access.ts';
import {
  answerAppeal,
  insertAppeal,
  isInForce,
  lastDayToAppeal,
  selectLastChanges,
} from './decision-queries.ts';
import {
  currentVersion,
  lockReview,
  type ModerationDeps,
  moderatedReview,
} from './moderated-reviews.ts';

/**
 * Appeals the decision that hides the caller's review, and opens a case for another administrator.
 * The day is not recorded. Throws `not_found` for other authors' reviews, `not_appealable`,
 * `appeal_exists`, and `appeal_too_late`.
 */
export function appeal(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  caller: Caller,
  id: string,
  text: string,
): Promise<OwnReview> {
  return inTransaction(db, async (trx) => {
    const author = caller.author.keys;
    await holdAuthor(trx, author, null);
    await confirmCaller({ keys, clock }, trx, caller);
    if (!(await lockOwn(trx, id, author))) throw new AppError('not_found');
    const [decision] = await selectLastChanges(trx, [id]);
    if (!decision || !isInForce(decision)) throw new AppError('not_appealable');
    if (decision.text !== null) throw new AppError('appeal_exists');
    if (toDay(clock()) > lastDayToAppeal(decision.decided_on)) {
      throw new AppError('appeal_too_late');
    }
    if (!(await insertAppeal(trx, decision.id, text))) throw new AppError('appeal_exists');
    const subject = { review_id: id };
    const { decided_by: decidedBy } = decision;
    const about = { kind: 'appeal', subject, decidedBy } as const;
    await openCase(trx, clock, { ...about, priority: 2, isByMember: true });
    const details = { rule: decision.rule };
    await recordAct(trx, clock, {
      actor: 'author',
      action: 'appeal.receive',
      subject: id,
      details,
    });
    return ownReview({ db: trx, clock }, id, author);
  });
}

/**
 * Decides an appeal; `overturn` publishes the review again. Throws `not_found`, `case_closed`,
 * `case_claimed`, `changed_meanwhile`, `employer_rejected`, and `own_decision` for the administrator
 * who made the decision, except in an office of one.
 */
export function decideAppeal(
  deps: ModerationDeps,
  actor: string,
  id: string,
  { outcome, answer, case_id, version }: AppealDecisionRequest,
): Promise<ModeratedReview> {
  const subject = { review_id: id };
  return decide(deps, {
    kinds: ['appeal'],
    subject,
    actor,
    case_id,
    version,
    async lock(trx) {
      const before = await lockReview(trx, id);
      if (!before) return;
      const [decision] = before.hasOpenAppeal ? await selectLastChanges(trx, [id]) : [];
      if (!decision) throw new AppError('case_closed');
      if (decision.decided_by === actor && (await countModerators(trx)) > 1) {
        throw new AppError('own_decision');
      }
      return decision;
    },
    currentVersion: (_, trx) => currentVersion({ ...deps, db: trx }, id),
    async change(trx, decision) {
      const answered_on = toDay(deps.clock());
      await answerAppeal(trx, decision.id, { outcome, answer, answered_on });
      if (outcome === 'overturn') await updateReview(trx, id, { removed_reason: null });
      return {
        act: { action: `appeal.${outcome}`, details: { rule: decision.rule } },
        answer: await moderatedReview({ ...deps, db: trx }, id),
      };
    },
  });
}
