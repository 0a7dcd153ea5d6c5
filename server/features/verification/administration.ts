import type { Doctor } from '#contract/doctors.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  findProfile,
  type HeldDoctor,
  loadProfile,
  setEvidence,
} from '#server/features/accounts/service.ts';
import { settle } from './claims.ts';
import { type ActDeps, type Decision, hold, record, refuse } from './decisions.ts';
import { proofOf } from './proving.ts';
import { selectDoctorIds, updateDoctor } from './queries.ts';
import { tombstoneOf } from './tombstones.ts';

/** The doctor with this account id, NPI or e-mail address; null when there is none. */
export async function findDoctor(
  deps: Pick<Deps, 'db' | 'keys'>,
  who: string,
): Promise<Doctor | null> {
  const profile = await findProfile(deps, deps.db, who);
  return profile?.doctor ?? null;
}

/** The doctors who are not verified, or all, one at a time. */
export async function* listDoctors(
  deps: Pick<Deps, 'db' | 'keys'>,
  options: { unverifiedOnly: boolean },
): AsyncGenerator<Doctor> {
  for (const id of await selectDoctorIds(deps.db, options)) {
    const profile = await loadProfile(deps, deps.db, id);
    if (profile?.doctor) yield profile.doctor;
  }
}

/** The two permissions of a doctor, set apart from one another (specification, section 6). */
export type Permission = 'verified' | 'can_post_reviews';

const ACTIONS = {
  verified: { true: 'doctor.verify', false: 'doctor.unverify' },
  can_post_reviews: { true: 'doctor.allow-posting', false: 'doctor.deny-posting' },
} as const;

/**
 * Grants a doctor a permission, or takes it back. Verification by an administrator is a proof: it
 * takes the NPI from whoever else holds it. A check by the registry that is still to come would
 * overrule the decision, and so is ended by it. One who may now post reviews is told by mail. False
 * when it was so already. Throws `not_found`, and `npi_banned`.
 */
export function setPermission(
  deps: ActDeps,
  decision: Decision,
  userId: string,
  permission: Permission,
  granted: boolean,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const held = await hold(deps, trx, userId);
    const { doctor } = held;
    const isChange = doctor[permission] !== granted;
    const isAwaited = doctor.verification.status === 'pending';
    if (!isChange && !isAwaited && !hasMoreToSay(held, permission, granted)) return false;
    if (permission === 'can_post_reviews') await setPosting(deps, trx, held, granted);
    else if (granted) await verify(deps, trx, held);
    else await refuse(deps, trx, held);
    await record(deps, trx, decision, ACTIONS[permission][`${granted}`], userId);
    return isChange;
  });
}

/** A judgment adds to a match; a refusal ends the claim of one who waits, or a pause. */
function hasMoreToSay(
  { doctor, evidence }: HeldDoctor,
  permission: Permission,
  granted: boolean,
): boolean {
  if (permission === 'can_post_reviews') {
    // The end of the pause would let them post.
    return !granted && doctor.verification.posting_from !== undefined;
  }
  return granted
    ? !evidence.proofs.some(({ kind }) => kind === 'administrator')
    : !evidence.is_refused;
}

async function verify(deps: ActDeps, trx: Db, held: HeldDoctor): Promise<void> {
  if ((await tombstoneOf(deps, trx, held.npi))?.kind === 'banned') throw new AppError('npi_banned');
  const proof = proofOf(deps, 'administrator');
  const proofs = held.evidence.proofs.filter(({ kind }) => kind !== proof.kind);
  const evidence = { ...held.evidence, proofs: [...proofs, proof], is_refused: false };
  await settle(deps, trx, held, evidence, { givesPosting: false });
}

async function setPosting(
  deps: ActDeps,
  trx: Db,
  held: HeldDoctor,
  granted: boolean,
): Promise<void> {
  const { user, doctor, evidence } = held;
  const { status } = doctor.verification;
  await updateDoctor(trx, user.id, {
    can_post_reviews: granted,
    posting_from: null,
    verification_status: status === 'pending' ? 'needs_review' : status,
  });
  if (!doctor.verified && !granted) {
    await setEvidence(deps, trx, held, { ...evidence, is_refused: true });
    await updateDoctor(trx, user.id, { verification_status: 'needs_review' });
  }
  if (!doctor.verified || !granted || doctor.can_post_reviews) return;
  await deps.jobs.enqueue(trx, 'send-mail', { to: user.email, template: 'verified', props: {} });
}
