import { randomUUID } from 'node:crypto';
import type { SignupDetails } from '#contract/accounts.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import type { DerivedPassword } from '../password/passwords.ts';
import { addAccount, type NewProfile } from './new-account.ts';

interface Standing {
  profile?: NewProfile;
  evidence?: Evidence;
}

/** Adds a doctor's account that waits for verification; null when the address is taken. */
export async function insertDoctor(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  details: Omit<SignupDetails, 'password'>,
  password: DerivedPassword,
  { profile = {}, evidence = NO_EVIDENCE }: Standing = {},
): Promise<string | null> {
  const id = randomUUID();
  const { email, first_name, last_name, npi } = details;
  const identity = {
    email,
    first_name,
    last_name,
    npi,
    username: newUsername(),
    joined_on: toDay(deps.clock()),
    evidence,
  };
  const added = await addAccount(deps, db, identity, { id, password }, profile);
  return added ? id : null;
}

/** Says nothing about its holder, and is never shown to anyone else. */
function newUsername(): string {
  return `dr-${randomUUID().slice(0, 8)}`;
}
