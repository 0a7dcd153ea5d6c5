import type {
  RepresentativeDecision,
  RepresentativeDecisionRequest,
  RepresentativeFile,
} from '#contract/representatives.ts';
import { recordAct } from '#server/audit-log.ts';
import { closeNamedCase } from '#server/cases/cases.ts';
import { requireVersion } from '#server/cases/version.ts';
import { inTransaction } from '#server/db/transaction.ts';
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
  await inTransaction(deps.db, async (trx) => {
    const account = await lockRepresentative(trx, userId);
    const about = { kinds: ['representative'], subject: { account_id: userId }, actor } as const;
    await closeNamedCase(trx, deps.clock, case_id, about);
    const read = account && (await representativeFile({ ...deps, db: trx }, userId));
    if (read) requireVersion(version, read.version);
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
    const action = `representative.${decision}` as const;
    await recordAct(trx, deps.clock, { actor, action, subject: userId, details: { reason } });
  });
  return representativeFile(deps, userId);
}
