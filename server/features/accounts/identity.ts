import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, seal, unseal } from '#server/anonymity/seal.ts';

/** Who an account belongs to: all that is known of a person, sealed as one value. */
export interface Identity {
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  /** Administrators have none. */
  npi: string | null;
  /** `YYYY-MM-DD`. */
  joined_on: string;
}

const contextOf = (userId: string) => `user/${userId}`;

export function sealIdentity(keys: Keys, userId: string, identity: Identity): Buffer {
  return seal(currentKey(keys.sealing), contextOf(userId), identity);
}

export function openIdentity(keys: Keys, userId: string, sealed: Buffer): Identity {
  return unseal<Identity>(keys.sealing, contextOf(userId), sealed);
}

/** Whether two addresses are one mailbox. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Addresses are told apart without regard to case (RFC 5321 leaves it to the host; none does). */
const folded = (email: string) => email.toLowerCase();

/** What an account is to be found by. */
export function indexColumns(keys: Keys, { email, npi }: Pick<Identity, 'email' | 'npi'>) {
  return {
    email_index: keys.index('email', folded(email)),
    npi_index: npi === null ? null : keys.index('npi', npi),
  };
}

/** What the account of an address may be found by, under each key in use. */
export function emailIndexes(keys: Keys, email: string): Buffer[] {
  return keys.indexes('email', folded(email));
}

/** What the account of an NPI may be found by, under each key in use. */
export function npiIndexes(keys: Keys, npi: string): Buffer[] {
  return keys.indexes('npi', npi);
}
