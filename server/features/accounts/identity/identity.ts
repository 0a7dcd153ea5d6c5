import type { User } from '#contract/accounts/accounts.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, seal, unseal } from '#server/anonymity/seal.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import type { AccountRow } from './account-queries.ts';

export interface FullName {
  first_name: string;
  last_name: string;
}

/** All personal data of an account, sealed as one value. */
export interface Identity extends FullName {
  email: string;
  username: string;
  /** The verified name, if the current name is another spelling of it. */
  verified_name?: FullName;
  /** Null for administrators and representatives. */
  npi: string | null;
  /** For representatives only. */
  work_title?: string;
  /** `YYYY-MM-DD`. */
  joined_on: string;
  /** For doctors only. */
  evidence?: Evidence;
}

/**
 * Fits the longest address, three names, and the evidence, so that a row's length reveals nothing
 * about its content.
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

/** The name under which a doctor was verified. */
export function verifiedName({ verified_name, first_name, last_name }: Identity): FullName {
  return verified_name ?? { first_name, last_name };
}

/** Case is ignored. RFC 5321 allows hosts where it matters, but none exist. */
const folded = (email: string) => email.toLowerCase();

export const isSameAddress = (one: string, other: string) => folded(one) === folded(other);

/** Blind indexes for finding accounts. */
export const emailIndex = (keys: Keys, email: string) => keys.index('email', folded(email));
export const npiIndex = (keys: Keys, npi: string) => keys.index('npi', npi);

/** The same under each current key. */
export const emailIndexes = (keys: Keys, email: string) => keys.indexes('email', folded(email));
export const npiIndexes = (keys: Keys, npi: string) => keys.indexes('npi', npi);

/** The decrypted data of an account. */
export interface Profile {
  user: Omit<User, 'pending_email'>;
  doctor: Doctor | null;
}

export function toProfile(keys: Keys, row: AccountRow): Profile {
  const identity = openIdentity(keys, row.id, row.sealed);
  const { email, username, first_name, last_name } = identity;
  const person = { id: row.id, email, username, first_name, last_name };
  return {
    user: {
      ...person,
      is_admin: row.is_admin,
      is_representative: row.representation !== null,
      roles: row.roles,
    },
    doctor: row.verification_status === null ? null : toDoctor(row, person, identity),
  };
}

function toDoctor(row: AccountRow, user: Doctor['user'], identity: Identity): Doctor {
  const {
    is_resident: _,
    is_refused: __,
    held_by: ___,
    is_over_quota: ____,
    ...evidence
  } = identity.evidence ?? NO_EVIDENCE;
  return {
    user,
    npi: identity.npi ?? '',
    created_at: identity.joined_on,
    verified: row.verified ?? false,
    can_post_reviews: row.can_post_reviews ?? false,
    verification: {
      status: row.verification_status as Doctor['verification']['status'],
      ...evidence,
      proofs: [...evidence.proofs],
      ...(row.verified && { verified_name: verifiedName(identity) }),
      ...(row.posting_from && { posting_from: row.posting_from }),
    },
  };
}
