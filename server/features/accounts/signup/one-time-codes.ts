import type { SignupDetails } from '#contract/accounts/accounts.ts';
import { OTP_ATTEMPTS } from '#contract/limits.ts';
import type { RepresentativeDetails } from '#contract/replies/representatives.ts';
import { isMailedCode, newMailedCode, openMailedCode } from '#server/anonymity/codes.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { deleteExpiredRows } from '#server/db/sealed-table.ts';
import type { Deps } from '#server/deps.ts';
import { derivePasswordKey } from '#server/features/accounts/credentials/passwords.ts';

/** The sign-up details of a doctor or a representative. */
export type NewAccount = SignupDetails | RepresentativeDetails;

/** A correct code. It is deleted when the account is created. */
export interface CorrectCode {
  readonly detailsKey: Buffer;
  readonly sealed: Buffer;
}

/** A new code allows new attempts, up to this total, so that nobody can guess forever. */
const TOTAL_ATTEMPTS = 3 * OTP_ATTEMPTS;
const SALT_BYTES = 16;

/** Keyed hash of the address, shared by all its pending sign-ups. */
export const addressKeyOf = (keys: Pick<Keys, 'sessionIndex'>, email: string) =>
  keys.sessionIndex('one-time-code', email.toLowerCase());

/**
 * Keyed hash of all sign-up details: only the details that requested a code can use it. It includes
 * the password's argon2id hash, so that the password is as hard to guess from stolen data as an
 * account's.
 */
export async function detailsKeyOf(
  deps: Pick<Deps, 'keys' | 'config'>,
  details: NewAccount,
): Promise<Buffer> {
  const { keys } = deps;
  const { email, first_name, last_name, password } = details;
  const kind = 'npi' in details ? [details.npi] : [details.employer, details.work_title];
  const known = JSON.stringify([email.toLowerCase(), first_name, last_name, ...kind]);
  const salt = keys.sessionIndex('one-time-code', `salt/${known}`).subarray(0, SALT_BYTES);
  const passwordKey = await derivePasswordKey(deps, password, salt);
  return keys.sessionIndex('one-time-code', `details/${known}/${passwordKey.toString('base64')}`);
}

const bindingOf = (email: string) =>
  ({ purpose: 'one-time-code', boundTo: email.toLowerCase() }) as const;

/** Binds a sealed code to its address. */
const codeContext = (addressKey: Buffer) => `code/${addressKey.toString('hex')}`;

function newCode(deps: Pick<Deps, 'keys' | 'clock'>, email: string) {
  const addressKey = addressKeyOf(deps.keys, email);
  const binding = { ...bindingOf(email), context: codeContext(addressKey) };
  return { addressKey, ...newMailedCode(deps, binding, {}) };
}

/** Creates a code for a sign-up. Codes of other sign-ups for the address stay valid. */
export async function issueCode(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
  detailsKey: Buffer,
): Promise<string> {
  const { code, addressKey, sealed } = newCode(deps, email);
  await db
    .insertInto('one_time_codes')
    .values({ details_key: detailsKey, address_key: addressKey, sealed })
    .onConflict((conflict) =>
      conflict.column('details_key').doUpdateSet({ sealed, attempts: 0, attempts_total: 0 }),
    )
    .execute();
  return code;
}

/** Creates one new code for all pending sign-ups of an address; null if there are none. */
export async function reissueCode(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  email: string,
): Promise<string | null> {
  const { code, addressKey, sealed } = newCode(deps, email);
  const { numUpdatedRows } = await db
    .updateTable('one_time_codes')
    .set({ sealed, attempts: 0 })
    .where('address_key', '=', addressKey)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? code : null;
}

/** Counts an attempt. Null if the code is wrong or expired, or no attempts are left. */
export async function tryCode(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>,
  details: NewAccount,
  code: string,
): Promise<CorrectCode | null> {
  const { db, keys } = deps;
  const { email } = details;
  const addressKey = addressKeyOf(keys, email);
  const detailsKey = await detailsKeyOf(deps, details);
  const row = await db
    .updateTable('one_time_codes')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      attempts_total: eb('attempts_total', '+', 1),
    }))
    .where('details_key', '=', detailsKey)
    .where('attempts', '<', OTP_ATTEMPTS)
    .where('attempts_total', '<', TOTAL_ATTEMPTS)
    .returning('sealed')
    .executeTakeFirst();
  const opened = row && openMailedCode(deps, codeContext(addressKey), row.sealed);
  if (!opened || !isMailedCode(deps, bindingOf(email), opened, code)) return null;
  return { detailsKey, sealed: row.sealed };
}

/** Deletes a code; false if it no longer exists or has been replaced. */
export async function takeCode(db: Db, detailsKey: Buffer, sealed: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_codes')
    .where('details_key', '=', detailsKey)
    .where('sealed', '=', sealed)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes expired codes. */
export const deleteExpiredCodes = (deps: Pick<Deps, 'db' | 'keys' | 'clock'>) =>
  deleteExpiredRows(deps, 'one_time_codes', 'address_key', codeContext);
