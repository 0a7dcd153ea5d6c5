import { isNameOf, isSameName, isSpelledAlike, personName } from '#contract/person-names.ts';
import type { Doctor, VerificationChecks } from '#contract/verification/doctors.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { markAnswered, openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { lockDoctor, UNVERIFIED } from '#server/features/accounts/identity/account-queries.ts';
import { updateDoctor } from '#server/features/accounts/identity/account-writes.ts';
import { verifiedName } from '#server/features/accounts/identity/identity.ts';
import { type HeldDoctor, loadProfile } from '#server/features/accounts/identity/profiles.ts';
import type { JobHandler } from '#server/jobs/settings.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import {
  type Profession,
  professionOf,
  type RegistryAnswer,
} from '#server/npi-registry/registry.ts';
import { allPassed, applyEvidence, holdClaim } from './claims.ts';

type VerificationDeps = Pick<
  Deps,
  'config' | 'db' | 'keys' | 'clock' | 'npiRegistry' | 'jobs' | 'metrics'
>;

/**
 * Looks up a doctor in the NPI registry, and applies the outcome. Throws if the registry is
 * unavailable, so that the job is retried. If the name has changed in the meantime, another job
 * checks it.
 */
export function verifyNpi(deps: VerificationDeps): JobHandler<'verify-npi'> {
  return async ({ userId }) => {
    const profile = await loadProfile(deps.keys, deps.db, userId);
    if (profile?.doctor?.verification.status !== 'pending') return;
    const { user, doctor } = profile;
    const count = (outcome: 'passed' | 'not_passed' | 'unavailable') =>
      deps.metrics.countByDay('curbside_day_registry_checks', { outcome });
    const answer = await deps.npiRegistry.lookUp(doctor.npi).catch((error: unknown) => {
      count('unavailable');
      throw error;
    });
    count(allPassed(checkDoctor(answer, user)) ? 'passed' : 'not_passed');
    await inTransaction(deps.db, async (trx) => {
      const held = await holdClaim(deps.keys, trx, userId);
      if (held?.doctor.verification.status !== 'pending') return;
      if (!isSpelledAlike(held.user, user)) {
        await deps.jobs.enqueue(trx, 'verify-npi', { userId });
        return;
      }
      await applyEvidence(deps, trx, held, checked(deps, held, answer));
    });
  };
}

/** Adds the registry's answer to the evidence. */
function checked(
  { clock }: Pick<Deps, 'clock'>,
  { evidence: { registry_name: _, ...evidence }, user }: HeldDoctor,
  answer: RegistryAnswer,
): Evidence {
  const checks = checkDoctor(answer, user);
  const name = answer.kind === 'person' ? answer.names[0] : undefined;
  return {
    ...evidence,
    checks,
    checked_on: toDay(clock()),
    in_training: answer.kind === 'person' && professionOf(answer.taxonomies) === 'trainee',
    ...(checks.name_matches === false &&
      name && { registry_name: { first_name: name.first, last_name: name.last } }),
  };
}

/** Whether a profession passes the check. Null leaves the decision to an administrator. */
const IS_PHYSICIAN: Record<Profession, boolean | null> = {
  physician: true,
  trainee: true,
  'oral-surgeon': null,
  other: false,
};

/** The checks that a registry's answer passes, given the name from sign-up. */
export function checkDoctor(
  answer: RegistryAnswer,
  doctor: { readonly first_name: string; readonly last_name: string },
): VerificationChecks {
  const checks = { ...NO_EVIDENCE.checks, known: answer.kind !== 'unknown' };
  switch (answer.kind) {
    case 'unknown':
      return checks;
    case 'deactivated':
      return { ...checks, active: false };
    case 'organization':
      return { ...checks, active: answer.active, individual: false };
    case 'person':
      return {
        ...checks,
        active: answer.active,
        individual: true,
        physician: IS_PHYSICIAN[professionOf(answer.taxonomies)],
        name_matches: isNameOf(answer.names, personName(doctor)),
      };
  }
}

/**
 * Repeats the registry check of an unverified doctor, unless an administrator has refused the
 * doctor. Throws `not_found`.
 */
export function checkAgain(
  deps: Pick<Deps, 'db' | 'keys' | 'jobs'>,
  userId: string,
): Promise<Doctor> {
  return inTransaction(deps.db, async (trx) => {
    const held = await holdClaim(deps.keys, trx, userId);
    if (!held) throw new AppError('not_found');
    if (held.doctor.verified || held.evidence.is_refused) return held.doctor;
    await markAnswered(trx, userId);
    await updateDoctor(trx, userId, { verification_status: 'pending' });
    await deps.jobs.enqueue(trx, 'verify-npi', { userId });
    return { ...held.doctor, verification: { ...held.doctor.verification, status: 'pending' } };
  });
}

type Identity = HeldDoctor['identity'];
type Rights = Awaited<ReturnType<typeof lockDoctor>>;

/**
 * Returns the identity with a new name; the caller stores it. A verified doctor stays verified if
 * the new name matches the verified one by the rule for registry names. It is not compared with the
 * previous name: many small steps could lead to any name. Any other name is verified again.
 */
export async function renameDoctor(
  deps: Pick<Deps, 'jobs' | 'clock'>,
  trx: Db,
  userId: string,
  { verified_name, ...identity }: Identity,
  name: Pick<Identity, 'first_name' | 'last_name'>,
): Promise<Identity> {
  const { evidence = NO_EVIDENCE } = identity;
  const rights = await lockDoctor(trx, userId);
  if (rights?.verified) {
    const verified = verified_name ?? verifiedName(identity);
    if (isSameName(personName(verified), personName(name))) {
      return { ...identity, ...name, verified_name: verified };
    }
  } else if (isSpelledAlike(identity, name) || isBeingChecked(evidence)) {
    // The check was made with this spelling, or will be made with the new name.
    return { ...identity, ...name };
  }
  const reopened = await reopenVerification(deps, trx, userId, evidence, rights);
  return { ...identity, ...name, evidence: reopened };
}

/** The registry has yet to answer. A refused doctor is not checked again. */
const isBeingChecked = ({ checked_on, is_refused }: Evidence) => checked_on === null && !is_refused;

/**
 * Checks the new name in the registry. A doctor whom an administrator has refused, or barred from
 * posting, waits for an administrator, because the check would override that decision. Returns the
 * remaining evidence.
 */
async function reopenVerification(
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  trx: Db,
  userId: string,
  { registry_name: _, refusal: __, ...evidence }: Evidence,
  rights: Rights,
): Promise<Evidence> {
  const isDenied = rights?.verified && !rights.can_post_reviews && rights.posting_from === null;
  const is_refused = evidence.is_refused || isDenied === true;
  await updateDoctor(trx, userId, {
    ...UNVERIFIED,
    verification_status: is_refused ? 'needs_review' : 'pending',
  });
  const subject = { account_id: userId };
  if (is_refused) await openCase(trx, clock, { kind: 'doctor', subject, priority: 2 });
  else await jobs.enqueue(trx, 'verify-npi', { userId });
  const { checks, checked_on } = NO_EVIDENCE;
  // The administrator verified another name.
  const proofs = evidence.proofs.filter(({ kind }) => kind !== 'administrator');
  return { ...evidence, proofs, checks, checked_on, is_refused };
}
