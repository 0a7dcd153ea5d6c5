import type {
  EmployerRejection,
  EmployerRejectionRequest,
  EmployerUnrejection,
  EmployerUnrejectRequest,
} from '#contract/employers/employer-curation.ts';
import { recordAct } from '#server/audit-log.ts';
import { closeCases, decide } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  deleteCorrections,
  factsVersion,
  setRejected,
  submission,
} from '#server/features/employers/curation/curation.ts';
import {
  lockEmployers,
  selectFollowing,
} from '#server/features/employers/curation/merge-queries.ts';
import { readEmployer, readOne } from '#server/features/employers/queries.ts';
import { recheckRepresentatives } from '#server/features/replies/representatives/representatives.ts';
import {
  hideReviewsOf,
  restoreReviewsOf,
} from '#server/features/reviews/moderation/decide-review.ts';
import { lockReviews } from '#server/features/reviews/reviews.ts';
import { resumeScheduled } from '#server/features/reviews/scheduled/scheduled-reviews.ts';

type RejectionDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Removes an employer that a doctor added from everything public, and hides its reviews by decisions
 * that their authors can appeal. Who added it is not stored. Throws `not_found`, `validation_error`
 * for an employer from a public file or a merged one, `case_closed`, `case_claimed`, and
 * `changed_meanwhile`.
 */
export function rejectEmployer(
  deps: RejectionDeps,
  actor: string,
  id: number,
  { rejection, note, case_id, version }: EmployerRejectionRequest,
): Promise<EmployerRejection> {
  const { clock } = deps;
  return decide(deps, {
    ...submission(id, actor),
    case_id,
    version,
    async lock(trx) {
      // Like a merge: whoever is posting a review waits, and is then refused (reviews_changed).
      await lockEmployers(trx);
      const { employer, merged_into, rejected_for } = await readOne(trx, id);
      if (rejected_for !== null) throw new AppError('case_closed');
      if (!employer.user_submitted || merged_into !== null) throw notSubmitted();
      const following = await selectFollowing(trx, id);
      await recheckRepresentatives(trx, clock, following);
      await lockReviews(trx);
      return { employer, following };
    },
    currentVersion: ({ employer }) => factsVersion(employer),
    async change(trx, { following }) {
      await dropCorrections(trx, following);
      const about = { employerId: id, rejection };
      const hidden_reviews = await hideReviewsOf(trx, clock, actor, about);
      await setRejected(trx, id, rejection);
      const details = { rejection, hidden_reviews, ...(note !== '' && { reason: note }) };
      return { act: { action: 'employers.reject', details }, answer: { hidden_reviews } };
    },
  });
}

/**
 * Undoes a rejection: the employer returns to the directory, the reviews that it hid are public
 * again, and those that it held are scheduled again. Throws `not_found`, and `case_closed` if the employer is not rejected.
 */
export async function unrejectEmployer(
  { db, clock }: RejectionDeps,
  actor: string,
  id: number,
  { reason }: EmployerUnrejectRequest,
): Promise<EmployerUnrejection> {
  const restored_reviews = await inTransaction(db, async (trx) => {
    await lockEmployers(trx);
    const { employer, rejected_for } = await readOne(trx, id);
    if (rejected_for === null) throw new AppError('case_closed');
    await lockReviews(trx);
    await setRejected(trx, id, null);
    const restored_reviews = await restoreReviewsOf(trx, clock, actor, id);
    const returning = { ids: await selectFollowing(trx, id), name: employer.name };
    await resumeScheduled(trx, returning, clock());
    const details = { restored_reviews, reason };
    await recordAct(trx, clock, {
      actor,
      action: 'employers.unreject',
      subject: String(id),
      details,
    });
    return restored_reviews;
  });
  return { employer: await readEmployer(db, id), restored_reviews };
}

/** There is nothing left to correct. */
async function dropCorrections(trx: Db, employerIds: readonly number[]) {
  await deleteCorrections(trx, employerIds);
  for (const employer_id of employerIds) {
    await closeCases(trx, { kinds: ['correction'], subject: { employer_id } });
  }
}

const notSubmitted = () =>
  new AppError('validation_error', {
    fields: { id: ['Only an employer that a doctor added can be rejected'] },
  });
