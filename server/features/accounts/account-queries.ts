import type { Insertable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

const ACCOUNT_COLUMNS = [
  'users.id',
  'users.sealed',
  'users.password_hash',
  'users.is_admin',
  'doctors.verified',
  'doctors.can_post_reviews',
  'doctors.verification_status',
  'doctors.verification_checks',
] as const;

const accounts = (db: Db) =>
  db.selectFrom('users').leftJoin('doctors', 'doctors.user_id', 'users.id').select(ACCOUNT_COLUMNS);

/** An account with its doctor profile, if it is a doctor's. */
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export function findAccount(db: Db, userId: string) {
  return accounts(db).where('users.id', '=', userId).executeTakeFirst();
}

export function findAccountByEmail(db: Db, emailIndex: Buffer) {
  return accounts(db).where('users.email_index', '=', emailIndex).executeTakeFirst();
}

export function findAccountByNpi(db: Db, npiIndex: Buffer) {
  return accounts(db).where('users.npi_index', '=', npiIndex).executeTakeFirst();
}

/** False when the e-mail address or the NPI has an account already. */
export async function insertAccount(
  db: Db,
  user: Insertable<DB['users']>,
  doctor: Omit<Insertable<DB['doctors']>, 'user_id'> | null,
): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return false;
  if (doctor) {
    await db
      .insertInto('doctors')
      .values({ user_id: inserted.id, ...doctor })
      .execute();
  }
  return true;
}

/** Replaces the code of an address, and with it the count of wrong attempts. */
export async function putCode(db: Db, addressKey: Buffer, sealed: Buffer) {
  await db
    .insertInto('one_time_codes')
    .values({ address_key: addressKey, sealed })
    .onConflict((conflict) => conflict.column('address_key').doUpdateSet({ sealed, attempts: 0 }))
    .execute();
}

/** Counts an attempt at a code and returns it, unless there is none or no attempt is left. */
export async function attemptCode(db: Db, addressKey: Buffer, maxAttempts: number) {
  const row = await db
    .updateTable('one_time_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('address_key', '=', addressKey)
    .where('attempts', '<', maxAttempts)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed ?? null;
}

/** Uses a code up; false when someone else just has. */
export async function takeCode(db: Db, addressKey: Buffer, sealed: Buffer): Promise<boolean> {
  const taken = await db
    .deleteFrom('one_time_codes')
    .where('address_key', '=', addressKey)
    .where('sealed', '=', sealed)
    .returning('address_key')
    .executeTakeFirst();
  return taken !== undefined;
}
