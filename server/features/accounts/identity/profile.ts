import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { pendingEmail } from '../email-change/email-change.ts';
import type { AccountRow } from './account-queries.ts';
import { type Identity, openIdentity, verifiedName } from './identity.ts';

/** The decrypted data of an account. */
export interface Profile {
  user: Omit<User, 'pending_email'>;
  doctor: Doctor | null;
}

/** The profile that the account holder sees. */
export interface OwnProfile extends Profile {
  user: User;
}

export function toProfile(keys: Keys, row: AccountRow): Profile {
  const identity = openIdentity(keys, row.id, row.sealed);
  const { email, username, first_name, last_name } = identity;
  const person = { id: row.id, email, username, first_name, last_name };
  return {
    user: { ...person, is_admin: row.is_admin },
    doctor: row.verification_status === null ? null : toDoctor(row, person, identity),
  };
}

export async function toOwnProfile(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  row: AccountRow,
): Promise<OwnProfile> {
  const { user, doctor } = toProfile(deps.keys, row);
  return { user: { ...user, pending_email: await pendingEmail(deps, db, row.id) }, doctor };
}

function toDoctor(row: AccountRow, user: Doctor['user'], identity: Identity): Doctor {
  const {
    is_resident: _,
    is_refused: __,
    held_by: ___,
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
