import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { SignupDetails } from '#contract/accounts.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { insertAccount } from './account-queries.ts';
import { emailIndex, npiIndex, sealIdentity } from './identity.ts';

/** Where a new doctor stands with verification; by default, at its beginning. */
export type NewProfile = Omit<Insertable<DB['doctors']>, 'user_id'>;

/** Adds an account with a doctor profile that waits for verification; null when one is taken. */
export async function insertDoctor(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  details: Omit<SignupDetails, 'password'>,
  passwordHash: string,
  profile: NewProfile = {},
): Promise<string | null> {
  const id = randomUUID();
  const { email, first_name, last_name, npi } = details;
  const inserted = await insertAccount(
    db,
    {
      id,
      sealed: sealIdentity(keys, id, {
        email,
        first_name,
        last_name,
        npi,
        username: newUsername(),
        joined_on: toDay(clock()),
      }),
      email_index: emailIndex(keys, email),
      npi_index: npiIndex(keys, npi),
      password_hash: passwordHash,
    },
    profile,
  );
  return inserted ? id : null;
}

/** Says nothing about its holder, and is never shown to anyone else. */
function newUsername(): string {
  return `dr-${randomUUID().slice(0, 8)}`;
}
