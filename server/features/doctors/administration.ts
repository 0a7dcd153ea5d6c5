import type { Doctor } from '#contract/doctors.ts';
import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  findProfile,
  type HeldDoctor,
  loadProfile,
  setEvidence,
} from '#server/features/accounts/service.ts';
import { holdClaim, holderOf, otherClaims, settle } from './claims.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { ownsNpi } from './ownership.ts';
import { proofOf } from './proving.ts';
import { selectDoctorIds, UNVERIFIED, updateDoctor } from './queries.ts';
import { bury, tombstoneOf, unearth } from './tombstones.ts';

type ActDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

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

/** Who decides, and why: both stand in the audit log. */
export interface Decision {
  /** `cli`, or the id of the administrator's account. */
  readonly actor: string;
  readonly reason?: string | undefined;
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
    if (
      !isChange &&
      doctor.verification.status !== 'pending' &&
      !hasMoreToSay(held, permission, granted)
    )
      return false;
    if (permission === 'can_post_reviews') await setPosting(deps, trx, held, granted);
    else if (granted) await verify(deps, trx, held);
    else await refuse(deps, trx, held);
    await record(deps, trx, decision, ACTIONS[permission][`${granted}`], userId);
    return isChange;
  });
}

async function hold(deps: ActDeps, trx: Db, userId: string): Promise<HeldDoctor> {
  const held = await holdClaim(deps, trx, userId);
  if (!held) throw new AppError('not_found');
  return held;
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

/** Takes verification back; its reviews are held only where someone else has proven the NPI. */
async function refuse(deps: ActDeps, trx: Db, held: HeldDoctor): Promise<void> {
  const { user, evidence } = held;
  const refused = { ...evidence, proofs: [], is_resident: false, is_refused: true };
  await setEvidence(deps, trx, held, refused);
  await updateDoctor(trx, user.id, { verified: false, verification_status: 'needs_review' });
  if (evidence.proofs.length === 0) return;
  // Anew: what has come due while the claim waited must not be held all at once.
  if (await closeDispute(deps, trx, user.id)) await openDispute(deps, trx, user.id);
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

/**
 * Keeps an NPI from being verified, now and after its account is gone. It may be somebody else's:
 * what another account holds is not banned, and in the mode `proof` neither is what only matched.
 * Throws `not_found`.
 */
export function ban(deps: ActDeps, decision: Decision, userId: string): Promise<{ npi: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    const held = await hold(deps, trx, userId);
    const isBanned = (await tombstoneOf(deps, trx, held.npi))?.kind === 'banned';
    const isHeld = holderOf(await otherClaims(deps, trx, held), held, held.evidence) !== null;
    const isOwner = isBanned || (ownsNpi(deps.config, held) && !isHeld);
    if (isOwner) await bury(deps, trx, held.npi);
    await refuse(deps, trx, held);
    await updateDoctor(trx, userId, UNVERIFIED);
    await record(deps, trx, decision, 'doctor.ban', userId);
    return { npi: isOwner };
  });
}

/** Lifts the ban of an NPI, whatever account named it. False when there is none. */
export function unban(deps: ActDeps, decision: Decision, npi: string): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    if (!(await unearth(deps, trx, npi))) return false;
    // An NPI in the log would tell for ever whose ban it was.
    await record(deps, trx, decision, 'doctor.unban', 'npi');
    return true;
  });
}

const record = (
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
