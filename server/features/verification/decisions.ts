import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { type HeldDoctor, setEvidence } from '#server/features/accounts/service.ts';
import { holdClaim } from './claims.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { updateDoctor } from './queries.ts';

export type ActDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

/** Who decides, and why: both stand in the audit log. */
export interface Decision {
  /** `cli`, or the id of the administrator's account. */
  readonly actor: string;
  readonly reason?: string | undefined;
}

/** The doctor whom a decision is about, held as `holdClaim` does. Throws `not_found`. */
export async function hold(deps: ActDeps, trx: Db, userId: string): Promise<HeldDoctor> {
  const held = await holdClaim(deps, trx, userId);
  if (!held) throw new AppError('not_found');
  return held;
}

/** Takes verification back; its reviews are held only where someone else has proven the NPI. */
export async function refuse(deps: ActDeps, trx: Db, held: HeldDoctor): Promise<void> {
  const { user, evidence } = held;
  const refused = { ...evidence, proofs: [], is_resident: false, is_refused: true };
  await setEvidence(deps, trx, held, refused);
  await updateDoctor(trx, user.id, { verified: false, verification_status: 'needs_review' });
  if (evidence.proofs.length === 0) return;
  // Anew: what has come due while the claim waited must not be held all at once.
  if (await closeDispute(deps, trx, user.id)) await openDispute(deps, trx, user.id);
}

/** Writes a decision down, with its reason. */
export const record = (
  { clock }: ActDeps,
  trx: Db,
  { actor, reason }: Decision,
  action: string,
  subject: string,
) =>
  recordAct(trx, clock, {
    actor,
    action,
    subject,
    ...(reason !== undefined && { details: { reason } }),
  });
