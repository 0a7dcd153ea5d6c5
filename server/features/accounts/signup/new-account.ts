import { randomUUID } from 'node:crypto';
import type { Role } from '#contract/staff-roles.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import { hashPassword, unusablePassword } from '#server/features/accounts/credentials/passwords.ts';
import { insertAccount, insertDoctor, type Standing } from '../identity/account-writes.ts';
import { changingStaff } from '../identity/staff.ts';

interface NewPerson {
  email: string;
  first_name: string;
  last_name: string;
  /** If null, nobody can sign in. */
  password: string | null;
}

const TAKEN = 'that email address already has an account';

const derive = (deps: Pick<Deps, 'config'>, password: string | null) =>
  password === null ? unusablePassword(deps) : hashPassword(deps, password);

/** Adds a doctor's account and returns its id. Throws if the email address is taken. */
export async function addDoctor(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  { password, profile = {}, evidence, ...details }: NewPerson & Standing & { npi: string },
): Promise<string> {
  const standing = { profile, ...(evidence && { evidence }) };
  const id = await insertDoctor(deps, deps.db, details, await derive(deps, password), standing);
  if (!id) throw new Error(TAKEN);
  return id;
}

/**
 * Adds a staff account and returns its id. Throws if the email address is taken. The only
 * administrator of an office of one has all roles, but still needs at least one.
 */
export async function addAdmin(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  { password, roles, ...person }: NewPerson & { roles: readonly Role[] },
): Promise<string> {
  const id = randomUUID();
  const username = `admin-${id.slice(0, 8)}`;
  const identity = { ...person, username, npi: null, joined_on: toDay(deps.clock()) };
  const user = { id, password: await derive(deps, password), roles };
  const isAdded = await changingStaff(() => insertAccount(deps, deps.db, identity, user));
  if (!isAdded) throw new Error(TAKEN);
  return id;
}
