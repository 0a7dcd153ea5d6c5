import { randomUUID } from 'node:crypto';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { hashPassword, unusablePassword } from '../password/passwords.ts';
import { addAccount, type NewProfile } from './new-account.ts';
import { insertDoctor } from './new-doctor.ts';

interface NewAccount {
  email: string;
  first_name: string;
  last_name: string;
  /** Null: nobody can sign in to it. */
  password: string | null;
}

interface NewDoctor extends NewAccount {
  npi: string;
  profile?: NewProfile;
  evidence?: Evidence;
}

/** Adds a doctor's account and returns its id. Throws when the address is taken. */
export async function addDoctor(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  { password, profile = {}, evidence = NO_EVIDENCE, ...details }: NewDoctor,
): Promise<string> {
  const derived = await (password === null ? unusablePassword() : hashPassword(password));
  const id = await insertDoctor(deps, deps.db, details, derived, { profile, evidence });
  if (!id) throw new Error('that e-mail address has an account already');
  return id;
}

/** Adds an administrator's account and returns its id. Throws when the address is taken. */
export async function addAdmin(
  deps: Pick<Deps, 'db' | 'keys' | 'clock'>,
  { password, email, first_name, last_name }: NewAccount,
): Promise<string> {
  const id = randomUUID();
  const identity = {
    email,
    first_name,
    last_name,
    username: `admin-${id.slice(0, 8)}`,
    npi: null,
    joined_on: toDay(deps.clock()),
  };
  const derived = await (password === null ? unusablePassword() : hashPassword(password));
  const user = { id, password: derived, is_admin: true };
  const added = await addAccount(deps, deps.db, identity, user);
  if (!added) throw new Error('that e-mail address has an account already');
  return id;
}
