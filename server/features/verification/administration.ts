import type { DoctorsOfNpi } from '#contract/case-queue.ts';
import type { Doctor } from '#contract/doctors.ts';
import type { StaffAct } from '#contract/logged-acts.ts';
import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import { closeNamedCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import {
  type HeldDoctor,
  loadProfile,
  selectByNpi,
  selectDoctorIds,
  UNVERIFIED,
  updateDoctor,
  updateVerification,
} from '#server/features/accounts/service.ts';
import { applyEvidence, holdClaim, holderOf, otherClaims } from './claims.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { withProof } from './proofs.ts';
import { banNpi, ownsNpi, tombstoneOf, unbanNpi } from './tombstones.ts';

type ActDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

/** Who decides, and why, for the audit log. */
export interface Decision {
  /** `cli`, or the id of the administrator's account. */
  readonly actor: string;
  readonly reason?: string | undefined;
  /** The open case that it closes. */
  readonly caseId?: string | undefined;
}

/** Yields all doctors, or only those who are not verified. */
export async function* listDoctors(
  deps: Pick<Deps, 'db' | 'keys'>,
  options: { unverifiedOnly: boolean },
): AsyncGenerator<Doctor> {
  for (const id of await selectDoctorIds(deps.db, options)) {
    const profile = await loadProfile(deps.keys, deps.db, id);
    if (profile?.doctor) yield profile.doctor;
  }
}

/** A doctor's two independent permissions (docs/verification.md). */
export type Permission = 'verified' | 'can_post_reviews';

const ACTIONS = {
  verified: { true: 'doctor.verify', false: 'doctor.unverify' },
  can_post_reviews: { true: 'doctor.allow-posting', false: 'doctor.deny-posting' },
} as const;

/**
 * Grants or revokes a permission. Verification by an administrator counts as a proof: it takes the
 * NPI from any other account, and cancels a pending registry check. A doctor who may now post gets
 * a mail. False if nothing changed. Throws `not_found` and `npi_banned`.
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
    if (permission === 'verified') await closeDoctorCases(deps, trx, decision, userId);
    const { doctor } = held;
    const isChange = doctor[permission] !== granted;
    const isAwaited = doctor.verification.status === 'pending';
    if (!isChange && !isAwaited && !hasMoreToSay(held, permission, granted)) return false;
    if (permission === 'can_post_reviews') await setPosting(deps, trx, held, granted);
    else await (granted ? verify : refuse)(deps, trx, held);
    const action = ACTIONS[permission][`${granted}`];
    await recordAct(trx, deps.clock, actOf(decision, action, userId));
    return isChange;
  });
}

/**
 * Whether the decision still has an effect: a judgment adds to a match; a refusal ends a waiting
 * doctor's claim, or a pause.
 */
function hasMoreToSay({ doctor, evidence }: HeldDoctor, permission: Permission, granted: boolean) {
  if (permission === 'can_post_reviews') {
    // Otherwise, the end of the pause would allow posting.
    return !granted && doctor.verification.posting_from !== undefined;
  }
  return granted
    ? !evidence.proofs.some(({ kind }) => kind === 'administrator')
    : !evidence.is_refused;
}

async function verify(deps: ActDeps, trx: Db, held: HeldDoctor): Promise<void> {
  if (await isBanned(deps, trx, held)) throw new AppError('npi_banned');
  const proofs = withProof(deps, held, 'administrator');
  const evidence = { ...held.evidence, proofs, is_refused: false };
  await applyEvidence(deps, trx, held, evidence, { givesPosting: false });
}

/** Revokes verification. Reviews are held only if another account has proven the NPI. */
async function refuse(
  deps: ActDeps,
  trx: Db,
  held: HeldDoctor,
  rights: Partial<typeof UNVERIFIED> = { verified: false },
): Promise<void> {
  const { user, evidence } = held;
  const refused = { ...evidence, proofs: [], is_resident: false, is_refused: true };
  const change = { ...rights, verification_status: 'needs_review' };
  await updateVerification(deps.keys, trx, held, refused, change);
  if (evidence.proofs.length === 0) return;
  // Restarts the dispute, so that reviews that came due in the meantime are not all held at once.
  if (await closeDispute(deps.keys, trx, user.id)) await openDispute(deps, trx, user.id);
}

async function setPosting(deps: ActDeps, trx: Db, held: HeldDoctor, granted: boolean) {
  const { user, doctor, evidence } = held;
  const { status } = doctor.verification;
  const posting = { can_post_reviews: granted, posting_from: null };
  if (!doctor.verified && !granted) {
    const change = { ...posting, verification_status: 'needs_review' };
    return updateVerification(deps.keys, trx, held, { ...evidence, is_refused: true }, change);
  }
  const verification_status = status === 'pending' ? 'needs_review' : status;
  await updateDoctor(trx, user.id, { ...posting, verification_status });
  if (!doctor.verified || !granted || doctor.can_post_reviews) return;
  await deps.jobs.enqueue(trx, 'send-mail', { to: user.email, template: 'verified', props: {} });
}

/**
 * Revokes an account's verification and permission to post. Does not ban its NPI, which may belong
 * to somebody else. Throws `not_found`.
 */
export function evict(deps: ActDeps, decision: Decision, userId: string): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const held = await hold(deps, trx, userId);
    await closeDoctorCases(deps, trx, decision, userId);
    await refuse(deps, trx, held, UNVERIFIED);
    await recordAct(trx, deps.clock, actOf(decision, 'doctor.evict', userId));
  });
}

/**
 * Bans the account, and also its NPI if that is probably its own: an NPI held by another account is
 * not banned, nor (in `proof` mode) one that only matched. The ban of an NPI outlives the account.
 * Throws `not_found`.
 */
export function ban(deps: ActDeps, decision: Decision, userId: string): Promise<{ npi: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    const held = await hold(deps, trx, userId);
    const isHeld = holderOf(await otherClaims(deps.keys, trx, held), held, held.evidence) !== null;
    const isOwner = (await isBanned(deps, trx, held)) || (ownsNpi(deps.config, held) && !isHeld);
    await closeDoctorCases(deps, trx, decision, userId);
    if (isOwner) await banNpi(deps.keys, trx, held.npi);
    await refuse(deps, trx, held, UNVERIFIED);
    await recordAct(trx, deps.clock, actOf(decision, 'doctor.ban', userId));
    return { npi: isOwner };
  });
}

/** All accounts that name an NPI, the verified one first. */
export async function doctorsOfNpi(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  npi: string,
): Promise<DoctorsOfNpi> {
  const [profiles, tombstone] = await Promise.all([
    selectByNpi(keys, db, npi),
    tombstoneOf(keys, db, npi),
  ]);
  return {
    is_banned: tombstone?.kind === 'banned',
    results: profiles.flatMap(({ doctor }) => doctor ?? []),
  };
}

/** Lifts the ban of an NPI. False if it is not banned. */
export function unban(
  deps: Pick<Deps, 'db' | 'clock' | 'keys'>,
  decision: Decision,
  npi: string,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    if (!(await unbanNpi(deps.keys, trx, npi))) return false;
    // An NPI in the audit log would reveal whose ban it was.
    await recordAct(trx, deps.clock, actOf(decision, 'doctor.unban', 'npi'));
    return true;
  });
}

/** Closes the case of an account that lost its NPI; changes nothing else. */
export function dismiss(deps: ActDeps, decision: Decision, userId: string): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    await hold(deps, trx, userId);
    await closeDoctorCases(deps, trx, decision, userId);
    await recordAct(trx, deps.clock, actOf(decision, 'doctor.dismiss', userId));
  });
}

const closeDoctorCases = (
  { clock }: ActDeps,
  trx: Db,
  { actor, caseId }: Decision,
  account_id: string,
) =>
  closeNamedCase(trx, clock, caseId, {
    kinds: ['doctor', 'eviction'],
    subject: { account_id },
    actor,
  });

const isBanned = async (deps: ActDeps, trx: Db, { npi }: HeldDoctor): Promise<boolean> =>
  (await tombstoneOf(deps.keys, trx, npi))?.kind === 'banned';

/** Locks the doctor like `holdClaim`. Throws `not_found`. */
async function hold(deps: ActDeps, trx: Db, userId: string): Promise<HeldDoctor> {
  const held = await holdClaim(deps.keys, trx, userId);
  if (!held) throw new AppError('not_found');
  return held;
}

const actOf = ({ actor, reason }: Decision, action: StaffAct, subject: string) => ({
  actor,
  action,
  subject,
  ...(reason !== undefined && { details: { reason } }),
});
