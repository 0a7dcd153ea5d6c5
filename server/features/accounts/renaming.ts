import { isSameName, personName } from '#contract/person-names.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { holdVerified, reopenVerification } from '#server/features/doctors/service.ts';
import { type FullName, type Identity, verifiedName } from './identity.ts';

/**
 * The identity under another name. A verified doctor keeps the verification for another spelling of
 * the name that was verified, by the rule that the registry's names are matched by. Each new
 * spelling is compared with the verified name, not with the last one: many small steps would lead
 * to any name. Any other name is verified anew.
 */
export async function renamed(
  deps: Pick<Deps, 'jobs'>,
  trx: Db,
  userId: string,
  { verified_name, ...identity }: Identity,
  name: FullName,
): Promise<Identity> {
  if (!(await holdVerified(trx, userId))) return { ...identity, ...name };
  const verified = verified_name ?? verifiedName(identity);
  if (isSameName(personName(verified), personName(name))) {
    return { ...identity, ...name, verified_name: verified };
  }
  await reopenVerification(deps, trx, userId);
  return { ...identity, ...name };
}
