import type { User } from '#contract/accounts.ts';
import type { Doctor, VerificationChecks } from '#contract/doctors.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { AccountRow } from './account-queries.ts';
import { type Identity, openIdentity } from './identity.ts';

export interface Profile {
  user: User;
  doctor: Doctor | null;
}

/** An account as its own holder sees it. */
export function toProfile(keys: Keys, row: AccountRow): Profile {
  const identity = openIdentity(keys, row.id, row.sealed);
  const { email, username, first_name, last_name } = identity;
  const person = { id: row.id, email, username, first_name, last_name };
  return {
    user: { ...person, is_admin: row.is_admin },
    doctor: row.verification_status === null ? null : toDoctor(row, person, identity),
  };
}

function toDoctor(row: AccountRow, user: Doctor['user'], identity: Identity): Doctor {
  return {
    user,
    npi: identity.npi ?? '',
    created_at: identity.joined_on,
    verified: row.verified ?? false,
    can_post_reviews: row.can_post_reviews ?? false,
    verification: {
      status: row.verification_status as Doctor['verification']['status'],
      checks: row.verification_checks as VerificationChecks,
    },
  };
}
