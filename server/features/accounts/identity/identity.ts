import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, seal, unseal } from '#server/anonymity/seal.ts';
import type { Evidence } from '#server/npi-registry/evidence.ts';

export interface FullName {
  first_name: string;
  last_name: string;
}

/** Who an account belongs to: all that is known of a person, sealed as one value. */
export interface Identity extends FullName {
  email: string;
  username: string;
  /** The name that was verified, once the one above is another spelling of it. */
  verified_name?: FullName;
  /** Administrators have none. */
  npi: string | null;
  /** `YYYY-MM-DD`. */
  joined_on: string;
  /** A doctor's. */
  evidence?: Evidence;
}

/**
 * Room for the longest address, three names and the evidence. So the length of a row does not tell
 * who has changed a name, or was verified how.
 */
const BLOCK_BYTES = 1536;

const contextOf = (userId: string) => `user/${userId}`;

export function sealIdentity(keys: Keys, userId: string, identity: Identity): Buffer {
  const options = { blockBytes: BLOCK_BYTES };
  return seal(currentKey(keys.sealing), contextOf(userId), identity, options);
}

export function openIdentity(keys: Keys, userId: string, sealed: Buffer): Identity {
  return unseal<Identity>(keys.sealing, contextOf(userId), sealed);
}

/** The name that a verified doctor was verified by. */
export function verifiedName({ verified_name, first_name, last_name }: Identity): FullName {
  return verified_name ?? { first_name, last_name };
}

/** Whether two addresses are one mailbox. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Addresses are told apart without regard to case (RFC 5321 leaves it to the host; none does). */
const folded = (email: string) => email.toLowerCase();

/** What an account is to be found by. */
export const emailIndex = (keys: Keys, email: string) => keys.index('email', folded(email));
export const npiIndex = (keys: Keys, npi: string) => keys.index('npi', npi);

/** What the account of an address may be found by, under each key in use. */
export function emailIndexes(keys: Keys, email: string): Buffer[] {
  return keys.indexes('email', folded(email));
}

/** What the account of an NPI may be found by, under each key in use. */
export function npiIndexes(keys: Keys, npi: string): Buffer[] {
  return keys.indexes('npi', npi);
}
