import { isSameName, isSpelledAlike, personName } from '#contract/person-names.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { lockDoctor, UNVERIFIED } from '#server/features/accounts/identity/account-queries.ts';
import { updateDoctor } from '#server/features/accounts/identity/account-writes.ts';
import { verifiedName } from '#server/features/accounts/identity/identity.ts';
import type { HeldDoctor } from '#server/features/accounts/identity/profiles.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';

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
  if (!is_refused) await jobs.enqueue(trx, 'verify-npi', { userId });
  if (is_refused) {
    const subject = { account_id: userId };
    await openCase(trx, clock, { kind: 'doctor', subject, priority: 2 });
  }
  const { checks, checked_on } = NO_EVIDENCE;
  // The administrator verified another name.
  const proofs = evidence.proofs.filter(({ kind }) => kind !== 'administrator');
  return { ...evidence, proofs, checks, checked_on, is_refused };
}
