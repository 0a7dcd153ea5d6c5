import type { VerificationChecks } from '#contract/verification/doctors.ts';
import type { ProofKind, VerificationMode } from '#contract/verification/verification.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { closeCases, openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { UNVERIFIED } from '#server/features/accounts/identity/account-queries.ts';
import { updateVerification } from '#server/features/accounts/identity/account-writes.ts';
import {
  type HeldDoctor,
  holdDoctor,
  holdNpi,
  loadProfile,
  selectByNpi,
} from '#server/features/accounts/identity/profiles.ts';
import { countedProofs, type Evidence, strengthOf } from '#server/npi-registry/evidence.ts';
import { dropSharedDecisions, isDecisionShared } from './shared-decisions.ts';
import { tombstoneOf } from './tombstones.ts';

/** Everything that decides whether a doctor is verified. */
export interface Standing {
  readonly mode: VerificationMode;
  /** The registry lists the NPI as an active physician with this name. */
  readonly matches: boolean;
  /** The NPI belongs to a trainee. */
  readonly inTraining: boolean;
  /** The proofs that count by themselves. */
  readonly proofs: readonly ProofKind[];
  /** There is also a mailbox that came after its domain's quota. */
  readonly isOverQuota: boolean;
  /** One of the mailboxes belongs to a residency. */
  readonly isResident: boolean;
  /** An administrator has revoked verification. */
  readonly isRefused: boolean;
  /** Left by an earlier account with this NPI. */
  readonly tombstone: 'banned' | 'left_reviews' | null;
  /** How another account holds the NPI. */
  readonly holder: 'match' | 'proof' | null;
}

type Outcome =
  /** Verified. Takes the NPI from an account that was only matched. */
  | { readonly status: 'passed'; readonly mayPost: boolean }
  | { readonly status: 'needs_proof' | 'needs_review' };

const NEEDS_REVIEW: Outcome = { status: 'needs_review' };
const NEEDS_PROOF: Outcome = { status: 'needs_proof' };

/**
 * Evaluates a doctor's evidence (docs/verification.md). An administrator's decision overrides
 * everything except a ban; a proof overrides a match; of two proofs, the first wins.
 */
export function outcomeOf(standing: Standing): Outcome {
  const { mode, matches, inTraining, proofs, isResident, isRefused, tombstone, holder } = standing;
  const isBanned = tombstone === 'banned';
  const passed: Outcome = { status: 'passed', mayPost: tombstone === null };
  if (proofs.includes('administrator')) return isBanned ? NEEDS_REVIEW : passed;
  if (!matches || isRefused || mode === 'manual') return NEEDS_REVIEW;
  if (proofs.length === 0) {
    // Without a proof, nobody learns about a ban or another account.
    if (mode === 'registry' && !isBanned && holder === null) return passed;
    return standing.isOverQuota ? NEEDS_REVIEW : NEEDS_PROOF;
  }
  if (isBanned || holder === 'proof') return NEEDS_REVIEW;
  if (mode === 'proof' && inTraining && !isResident) return NEEDS_REVIEW;
  return passed;
}

export type ClaimDeps = Pick<Deps, 'config' | 'keys' | 'clock' | 'jobs'>;

/**
 * Locks a doctor's NPI and then the account, until the transaction ends. Null if it is not a
 * doctor's. The NPI comes first, because one of its accounts may change another.
 */
export async function holdClaim(keys: Keys, trx: Db, userId: string): Promise<HeldDoctor | null> {
  const profile = await loadProfile(keys, trx, userId);
  if (!profile?.doctor) return null;
  await holdNpi(keys, trx, profile.doctor.npi);
  return holdDoctor(keys, trx, userId);
}

/**
 * Stores a locked doctor's evidence, and applies its outcome. A proof takes the NPI from an account
 * that was only matched. Verification allows posting, unless an administrator decides that
 * separately, and is mailed, unless the doctor gets another mail.
 */
export async function applyEvidence(
  deps: ClaimDeps,
  trx: Db,
  held: HeldDoctor,
  evidence: Evidence,
  { givesPosting = true, isMailed = true } = {},
): Promise<void> {
  const { user, npi, doctor } = held;
  const others = await otherClaims(deps.keys, trx, held);
  const tombstone = await tombstoneOf(deps.keys, trx, npi, strengthOf(evidence));
  const proofs = countedProofs(evidence);
  const outcome = outcomeOf({
    mode: deps.config.verification,
    matches: allPassed(evidence.checks),
    inTraining: evidence.in_training,
    proofs: proofs.map(({ kind }) => kind),
    isOverQuota: evidence.is_over_quota === true,
    isResident: evidence.is_resident,
    isRefused: evidence.is_refused,
    tombstone: tombstone?.kind ?? null,
    holder: holderOf(others, held, evidence),
  });
  await followCase(deps, trx, held, evidence, outcome);
  if (outcome.status !== 'passed') {
    const change = { ...UNVERIFIED, verification_status: outcome.status };
    return updateVerification(deps.keys, trx, held, evidence, change);
  }
  for (const other of others) await displace(deps, trx, other.user.id);
  // What was decided about the NPI was about its former holder.
  if (evidence.held_by === null) await dropSharedDecisions(trx, [held, ...others]);
  const held_by = heldBy(evidence);
  // A stronger proof ends the pause of a tombstone that binds only weak ones.
  const isPaused = doctor.verification.posting_from !== undefined;
  const isGiven = (!doctor.verified && givesPosting) || (isPaused && outcome.mayPost);
  const change = {
    verification_status: 'passed',
    verified: true,
    // Keeps an administrator's decision about posting.
    ...(isGiven && {
      can_post_reviews: outcome.mayPost,
      posting_from: outcome.mayPost ? null : (tombstone?.ends_on ?? null),
    }),
  };
  await updateVerification(deps.keys, trx, held, { ...evidence, held_by }, change);
  const mayPost = isGiven ? outcome.mayPost : doctor.can_post_reviews;
  if (!isMailed || doctor.verified || !mayPost) return;
  await deps.jobs.enqueue(trx, 'send-mail', { to: user.email, template: 'verified', props: {} });
}

function heldBy(evidence: Evidence): NonNullable<Evidence['held_by']> {
  if (countedProofs(evidence).length === 0) return 'match';
  return strengthOf(evidence) === 'strong' ? 'proof' : 'mailbox';
}

/**
 * Keeps a case open for a doctor who waits for an administrator, unless one has refused this
 * doctor.
 */
async function followCase(
  { clock }: ClaimDeps,
  trx: Db,
  { user, doctor }: HeldDoctor,
  { is_refused }: Evidence,
  { status }: Outcome,
): Promise<void> {
  const subject = { account_id: user.id };
  if (status !== 'needs_review') {
    if (await isDecisionShared(trx, user.id)) return;
    await closeCases(trx, { kinds: ['doctor', 'eviction'], subject });
  } else if (!is_refused && doctor.verification.status !== 'needs_review') {
    await openCase(trx, clock, { kind: 'doctor', subject, priority: 2 });
  }
}

/** Doctors with other accounts for the same NPI. */
export async function otherClaims(
  keys: Keys,
  trx: Db,
  { user, npi }: HeldDoctor,
): Promise<HeldDoctor[]> {
  const doctors = await selectByNpi(keys, trx, npi);
  return doctors.filter((doctor) => doctor.user.id !== user.id);
}

/**
 * Whether the NPI is the account's own, so that what the account leaves behind may bind later ones.
 * In `proof` mode, an unproven NPI may be someone else's.
 */
export async function ownsNpi(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  trx: Db,
  held: HeldDoctor,
): Promise<boolean> {
  const { doctor, evidence } = held;
  const { held_by } = evidence;
  const isProven = held_by === 'proof' || held_by === 'mailbox';
  const isMatched = config.verification !== 'proof' && (doctor.verified || held_by !== null);
  if (!isProven && !isMatched && countedProofs(evidence).length === 0) return false;
  return holderOf(await otherClaims(keys, trx, held), held, evidence) === null;
}

/** Whether the account holds its NPI by a proof, even while a new name is checked. */
export const holdsByProof = ({ evidence }: Pick<HeldDoctor, 'evidence'>): boolean =>
  (evidence.held_by === 'mailbox' || evidence.held_by === 'proof') &&
  countedProofs(evidence).length > 0;

/**
 * How another account holds the NPI. The first account to prove it holds it, even while unverified:
 * a name change must not hand the NPI to an account that proved it later.
 */
export function holderOf(
  others: readonly HeldDoctor[],
  { doctor }: Pick<HeldDoctor, 'doctor'>,
  evidence: Evidence,
): 'match' | 'proof' | null {
  const own = firstDay(evidence);
  const isProven = others.some((one) => {
    const { doctor: other, evidence } = one;
    const first = firstDay(evidence);
    if (first === undefined) return false;
    if (other.verified || holdsByProof(one)) return true;
    if (doctor.verified) return false;
    // If both were proven on one day, the one whose new name is pending was verified.
    const isTie = first === own && other.verification.status === 'pending';
    return own === undefined || first < own || isTie;
  });
  if (isProven) return 'proof';
  return others.some(({ doctor }) => doctor.verified) ? 'match' : null;
}

const firstDay = (evidence: Evidence) =>
  countedProofs(evidence)
    .map(({ on }) => on)
    .toSorted()[0];

/**
 * Takes the NPI from an account, which can prove it again, even if it has lost verification in the
 * meantime. Its reviews stay.
 */
async function displace(deps: ClaimDeps, trx: Db, userId: string): Promise<void> {
  const held = await holdDoctor(deps.keys, trx, userId);
  if (!held) throw new AppError('not_found');
  const { doctor, evidence } = held;
  if (!doctor.verified && evidence.held_by === null) return;
  const lost = { ...withoutProofs(evidence), held_by: null };
  await updateVerification(deps.keys, trx, held, lost, {
    ...UNVERIFIED,
    ...(doctor.verified && { verification_status: 'needs_proof' }),
  });
  const subject = { account_id: userId };
  await openCase(trx, deps.clock, { kind: 'eviction', subject, priority: 2 });
  const to = held.user.email;
  await deps.jobs.enqueue(trx, 'send-mail', { to, template: 'verification-lost', props: {} });
}

export const withoutProofs = ({ is_over_quota: _, ...evidence }: Evidence): Evidence => ({
  ...evidence,
  proofs: [],
  is_resident: false,
});

/** Whether a doctor is verified without an administrator's judgment. */
export function allPassed(checks: VerificationChecks): boolean {
  return Object.values(checks).every((passed) => passed === true);
}
