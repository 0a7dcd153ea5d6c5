import { isSameName, isSpelledAlike, personName } from '#contract/person-names.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { holdVerified, reopenVerification } from '#server/features/verification/service.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { type FullName, type Identity, verifiedName } from '../identity/identity.ts';

/**
 * The identity under another name. A verified doctor keeps the verification for another spelling of
 * the name that was verified, by the rule that the registry's names are matched by. Each new
 * spelling is compared with the verified name, not with the last one: many small steps would lead
 * to any name. Any other name is verified anew, and so is one that was no name of the registry's.
 */
export async function renamed(
  deps: Pick<Deps, 'jobs'>,
  trx: Db,
  userId: string,
  { verified_name, ...identity }: Identity,
  name: FullName,
): Promise<Identity> {
  const { evidence = NO_EVIDENCE } = identity;
  if (await holdVerified(trx, userId)) {
    const verified = verified_name ?? verifiedName(identity);
    if (isSameName(personName(verified), personName(name))) {
      return { ...identity, ...name, verified_name: verified };
    }
  } else if (evidence.checked_on === null || isSpelledAlike(identity, name)) {
    // A check that was made is about the name it was made with, and one still to come reads the new.
    return { ...identity, ...name };
  }
  return { ...identity, ...name, evidence: await reopenVerification(deps, trx, userId, evidence) };
}
