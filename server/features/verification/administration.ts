import type { SharedDecision } from '#contract/office/case-queue.ts';
import type { StaffAct } from '#contract/office/logged-acts.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { DEFAULT_REFUSAL, type Refusal } from '#contract/verification/proof-requests.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import {
  type Decided,
  decide,
  lockNamedCase,
  openCase,
  requireVersion,
  versionOf,
} from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { selectDoctorIds, UNVERIFIED } from '#server/features/accounts/identity/account-queries.ts';
import {
  updateDoctor,
  updateVerification,
} from '#server/features/accounts/identity/account-writes.ts';
import {
  type HeldDoctor,
  loadProfile,
  selectByNpi,
} from '#server/features/accounts/identity/profiles.ts';
import { type Evidence, strengthOf } from '#server/npi-registry/evidence.ts';
import {
  applyEvidence,
  holdClaim,
  holdsByProof,
  otherClaims,
  ownsNpi,
  withoutProofs,
} from './claims.ts';
import { withProof } from './proofs.ts';
import { dropSharedDecisions, shareDecision } from './shared-decisions.ts';
import { banNpi, tombstoneOf, unbanNpi } from './tombstones.ts';

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

type ActDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

/** Who decides, and why, for the audit log. */
export interface Decision {
  /** `cli`, or the id of the administrator's account. */
  readonly actor: string;
  readonly reason?: string | undefined;
  /** What the doctor is told if it is a refusal. */
  readonly refusal?: Refusal | undefined;
  /** The open case that it closes. */
  readonly caseId?: string | undefined;
  /** The version of the doctor that was read (`doctorVersion`). */
  readonly version?: string | undefined;
}

/** The cases that a decision about a doctor closes. */
const casesOf = (account_id: string, { actor }: Pick<Decision, 'actor'>) => ({
  kinds: ['doctor', 'eviction'] as const,
  subject: { account_id },
  actor,
});

/** The first of two decisions: another verifier must confirm it on another day. */
export const AWAITS_SECOND = 'awaits second';
type Awaiting = typeof AWAITS_SECOND;

/**
 * Says if a decision waits for a second verifier, because it takes the NPI from an account that
 * holds it by proof. Stores the first decision, with a case for the second one; the doctor does not
 * notice. A decision that may be carried out ends what waits, unless it is about posting alone.
 */
async function awaitsSecond(
  deps: ActDeps,
  trx: Db,
  { actor, reason, caseId }: Decision,
  held: HeldDoctor,
  decision: SharedDecision,
): Promise<Awaiting | undefined> {
  const { clock } = deps;
  const accountId = held.user.id;
  if (await takesProvenNpi(deps, trx, held, decision)) {
    const subject = { account_id: accountId };
    const open = await lockNamedCase(trx, clock, caseId, casesOf(accountId, { actor }));
    const given = { accountId, decision, actor, reason: reason ?? null };
    if (!(await shareDecision(trx, clock, given))) {
      if (open === 0) await openCase(trx, clock, { kind: 'doctor', subject, priority: 2 });
      const act = actOf({ actor, reason }, 'doctor.decide-first', accountId);
      await recordAct(trx, clock, { ...act, details: { decision, ...act.details } });
      return AWAITS_SECOND;
    }
  }
  await dropSharedDecisions(trx, [held], decision === 'deny_posting' ? decision : undefined);
  return undefined;
}

/** Refusing to let a doctor post who is not verified right now also refuses verification. */
async function takesProvenNpi(
  { keys }: ActDeps,
  trx: Db,
  held: HeldDoctor,
  decision: SharedDecision,
): Promise<boolean> {
  if (decision === 'verify') return (await otherClaims(keys, trx, held)).some(holdsByProof);
  return holdsByProof(held) && !(decision === 'deny_posting' && held.doctor.verified);
}

const actOf = ({ actor, reason }: Decision, action: StaffAct, subject: string) => ({
  actor,
  action,
  subject,
  ...(reason !== undefined && { details: { reason } }),
});

/** A doctor's two independent permissions (docs/verification.md). */
export type Permission = 'verified' | 'can_post_reviews';

const ACTIONS = {
  verified: { true: 'doctor.verify', false: 'doctor.unverify' },
  can_post_reviews: { true: 'doctor.allow-posting', false: 'doctor.deny-posting' },
} as const;

/** What may need a second verifier. */
const SHARED = {
  verified: { true: 'verify', false: 'refuse' },
  can_post_reviews: { true: null, false: 'deny_posting' },
} as const;

/**
 * Grants or revokes a permission. Verification by an administrator counts as a proof: it takes the
 * NPI from any other account, and cancels a pending registry check. A doctor who may now post gets
 * a mail. False if nothing changed. Throws `not_found`, `npi_banned`, and what `shareDecision`
 * throws.
 */
export function setPermission(
  deps: ActDeps,
  decision: Decision,
  userId: string,
  permission: Permission,
  granted: boolean,
): Promise<boolean | Awaiting> {
  const isChange = ({ doctor }: HeldDoctor) => doctor[permission] !== granted;
  const isSettled = (held: HeldDoctor) =>
    !isChange(held) &&
    held.doctor.verification.status !== 'pending' &&
    !hasMoreToSay(held, permission, granted);
  return decideAbout<boolean | Awaiting>(deps, decision, userId, {
    // Whether the account belongs to its NPI is still to be decided.
    leavesOpen: () => permission !== 'verified',
    async postpone(trx, held) {
      const shared = SHARED[permission][`${granted}`];
      if (shared === null || isSettled(held)) return;
      if (shared === 'verify' && (await isBanned(deps, trx, held))) {
        throw new AppError('npi_banned');
      }
      return awaitsSecond(deps, trx, decision, held, shared);
    },
    async change(trx, held) {
      if (isSettled(held)) return { answer: false };
      if (permission === 'can_post_reviews') await setPosting(deps, trx, decision, held, granted);
      else if (granted) await verify(deps, trx, held);
      else await refuse(deps, trx, decision, held);
      const action = ACTIONS[permission][`${granted}`];
      return { act: actOf(decision, action, userId), answer: isChange(held) };
    },
  });
}

/** Decides about a doctor, whom it locks like `holdClaim`. Closes the cases about the account. */
const decideAbout = <Answer>(
  deps: ActDeps,
  decision: Decision,
  userId: string,
  steps: DoctorSteps<Answer>,
): Promise<Answer> =>
  decide<HeldDoctor, Answer>(deps, {
    ...casesOf(userId, decision),
    case_id: decision.caseId,
    lock: (trx) => hold(deps, trx, decision, userId),
    ...steps,
  });

type DoctorSteps<Answer> = Pick<Decided<HeldDoctor, Answer>, 'postpone' | 'leavesOpen' | 'change'>;

/**
 * Whether the decision still has an effect: a judgment adds to a match; a refusal ends a waiting
 * doctor's claim, or a pause. Denying posting to a waiting doctor is a refusal, too.
 */
function hasMoreToSay({ doctor, evidence }: HeldDoctor, permission: Permission, granted: boolean) {
  const isUntold = !evidence.is_refused || evidence.refusal === undefined;
  if (permission === 'can_post_reviews') {
    // A refusal during a pause still matters: the end of the pause would allow posting.
    const isPaused = doctor.verification.posting_from !== undefined;
    return !granted && (isPaused || (!doctor.verified && isUntold));
  }
  return granted ? !evidence.proofs.some(({ kind }) => kind === 'administrator') : isUntold;
}

async function verify(deps: ActDeps, trx: Db, held: HeldDoctor): Promise<void> {
  const proofs = withProof(deps, held, 'administrator');
  const { refusal: _, ...rest } = held.evidence;
  const evidence = { ...rest, proofs, is_refused: false };
  await applyEvidence(deps, trx, held, evidence, { givesPosting: false });
}

/** Revokes verification. */
const refuse = (
  deps: ActDeps,
  trx: Db,
  decision: Decision,
  held: HeldDoctor,
  rights: Partial<typeof UNVERIFIED> = { verified: false },
): Promise<void> => {
  const change = { ...rights, verification_status: 'needs_review' };
  return storeRefusal(deps, trx, decision, held, {
    evidence: withoutProofs(held.evidence),
    change,
  });
};

/** Tells the doctor the same whether or not another account has the NPI. */
async function storeRefusal(
  { keys, clock, jobs }: ActDeps,
  trx: Db,
  { refusal: reason = DEFAULT_REFUSAL }: Decision,
  held: HeldDoctor,
  { evidence, change }: { evidence: Evidence; change: Parameters<typeof updateVerification>[4] },
): Promise<void> {
  const refusal = { reason, decided_on: toDay(clock()) };
  await updateVerification(keys, trx, held, { ...evidence, is_refused: true, refusal }, change);
  const to = held.user.email;
  await jobs.enqueue(trx, 'send-mail', { to, template: 'refused', props: { reason } });
}

async function setPosting(
  deps: ActDeps,
  trx: Db,
  decision: Decision,
  held: HeldDoctor,
  granted: boolean,
) {
  const { user, doctor, evidence } = held;
  const { status } = doctor.verification;
  const posting = { can_post_reviews: granted, posting_from: null };
  if (!doctor.verified && !granted) {
    const change = { ...posting, verification_status: 'needs_review' };
    return storeRefusal(deps, trx, decision, held, { evidence, change });
  }
  const verification_status = status === 'pending' ? 'needs_review' : status;
  await updateDoctor(trx, user.id, { ...posting, verification_status });
  if (!doctor.verified || !granted || doctor.can_post_reviews) return;
  await deps.jobs.enqueue(trx, 'send-mail', { to: user.email, template: 'verified', props: {} });
}

/**
 * Revokes an account's verification and permission to post. Does not ban its NPI, which may belong
 * to somebody else. Throws `not_found`, and what `shareDecision` throws.
 */
export function evict(
  deps: ActDeps,
  decision: Decision,
  userId: string,
): Promise<'evicted' | Awaiting> {
  return decideAbout<'evicted' | Awaiting>(deps, decision, userId, {
    postpone: (trx, held) => awaitsSecond(deps, trx, decision, held, 'evict'),
    async change(trx, held) {
      await refuse(deps, trx, decision, held, UNVERIFIED);
      return { act: actOf(decision, 'doctor.evict', userId), answer: 'evicted' };
    },
  });
}

/**
 * Bans the account, and also its NPI if that is probably its own: an NPI held by another account is
 * not banned, nor (in `proof` mode) one that only matched. The ban of an NPI outlives the account.
 * After a mailbox, it binds only claims without a letter or an administrator. Throws `not_found`,
 * and what `shareDecision` throws.
 */
export function ban(
  deps: ActDeps,
  decision: Decision,
  userId: string,
): Promise<{ npi: boolean } | Awaiting> {
  return decideAbout<{ npi: boolean } | Awaiting>(deps, decision, userId, {
    postpone: (trx, held) => awaitsSecond(deps, trx, decision, held, 'ban'),
    async change(trx, held) {
      const strength = strengthOf(held.evidence);
      const wasBanned = (await tombstoneOf(deps.keys, trx, held.npi, strength))?.kind === 'banned';
      const isOwner = wasBanned || (await ownsNpi(deps, trx, held));
      if (isOwner) await banNpi(deps.keys, trx, held.npi, strength);
      await refuse(deps, trx, decision, held, UNVERIFIED);
      return { act: actOf(decision, 'doctor.ban', userId), answer: { npi: isOwner } };
    },
  });
}

/** All accounts that name an NPI, the verified one first. */
export async function doctorsOfNpi(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  npi: string,
): Promise<{ is_banned: boolean; results: Doctor[] }> {
  const [doctors, tombstone] = await Promise.all([
    selectByNpi(keys, db, npi),
    tombstoneOf(keys, db, npi, 'weak'),
  ]);
  return {
    is_banned: tombstone?.kind === 'banned',
    results: doctors.map(({ doctor }) => doctor),
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

/** Closes the case of an account, with a decision that waits for a second verifier. */
export function dismiss(deps: ActDeps, decision: Decision, userId: string): Promise<void> {
  return decideAbout(deps, decision, userId, {
    async change(trx, held) {
      await dropSharedDecisions(trx, [held]);
      return { act: actOf(decision, 'doctor.dismiss', userId), answer: undefined };
    },
  });
}

/** Whether the NPI is banned even for a doctor whom an administrator verifies. */
const isBanned = async (deps: ActDeps, trx: Db, { npi }: HeldDoctor): Promise<boolean> =>
  (await tombstoneOf(deps.keys, trx, npi, 'strong'))?.kind === 'banned';

/**
 * Locks the doctor like `holdClaim`. Throws `not_found` and `changed_meanwhile`; but `case_closed` if
 * a decision is what changed the doctor, or `case_claimed`.
 */
async function hold(
  deps: ActDeps,
  trx: Db,
  decision: Decision,
  userId: string,
): Promise<HeldDoctor> {
  const { caseId, version } = decision;
  const held = await holdClaim(deps.keys, trx, userId);
  if (!held) throw new AppError('not_found');
  const current = doctorVersion(held.doctor);
  if (caseId !== undefined && version !== undefined && version !== current) {
    await lockNamedCase(trx, deps.clock, caseId, casesOf(userId, decision));
  }
  requireVersion(version, current);
  return held;
}

/** Of all that a verifier reads. */
export const doctorVersion = (doctor: Doctor): string => versionOf(doctor);
