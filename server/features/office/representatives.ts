import type {
  RepresentativeDecision,
  RepresentativeDecisionRequest,
  RepresentativeFile,
} from '#contract/replies/representatives.ts';
import { decide } from '#server/cases/cases.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import {
  lockRepresentative,
  updateRepresentative,
} from '#server/features/accounts/identity/representative-queries.ts';
import { currentId, requireNotRejected } from '#server/features/employers/queries.ts';
import { withdrawReplies } from '#server/features/replies/replies.ts';
import { representativeFile } from '#server/features/replies/representatives/representatives.ts';

/**
 * Approves or refuses a representative, even one who was decided about before. A refused one never
 * spoke for the employer, so the replies are deleted, even if the account no longer exists; then
 * this returns null. Throws `not_found`, `case_closed`, `case_claimed`, `employer_rejected`, and
 * `changed_meanwhile` if the employer has been merged, or its merge undone, since the curator saw it.
 */
export async function decideRepresentative(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  actor: string,
  userId: string,
  decision: RepresentativeDecision,
  { reason, employer_id, case_id, version }: RepresentativeDecisionRequest,
): Promise<RepresentativeFile | null> {
  const subject = { account_id: userId };
  await decide(deps, {
    kinds: ['representative'],
    subject,
    actor,
    case_id,
    version,
    lock: async (trx) => ({ account: await lockRepresentative(trx, userId) }),
    async currentVersion({ account }, trx) {
      const read = account && (await representativeFile({ ...deps, db: trx }, userId));
      return read?.version;
    },
    async change(trx, { account }) {
      const isApproved = decision === 'approve';
      if (isApproved && account) await requireNotRejected(trx, [account.employer_id]);
      if (isApproved && account && employer_id !== undefined) {
        const current = await currentId(trx, account.employer_id);
        if (current !== employer_id) throw new AppError('changed_meanwhile');
      }
      await updateRepresentative(trx, userId, {
        state: isApproved ? 'approved' : 'refused',
        reason: isApproved ? '' : reason,
      });
      const withdrawn = isApproved ? 0 : await withdrawReplies(trx, userId);
      if (!account && withdrawn === 0) throw new AppError('not_found');
      return { act: { action: `representative.${decision}`, details: { reason } }, answer: null };
    },
  });
  return representativeFile(deps, userId);
}
