import { type Insertable, sql, type Updateable } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

const ACCOUNT_COLUMNS = [
  'users.id',
  'users.sealed',
  'users.password_hash',
  'users.author_salt',
  'users.is_admin',
  'doctors.verified',
  'doctors.can_post_reviews',
  'doctors.verification_status',
  'doctors.posting_from',
] as const;

/** What a change of password, and a lock of reviews, go by. */
const HELD_COLUMNS = [
  'id',
  'sealed',
  'password_hash',
  'author_secret',
  'recovery_secret',
  'author_salt',
] as const;

export type HeldAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

const accounts = (db: Db) =>
  db.selectFrom('users').leftJoin('doctors', 'doctors.user_id', 'users.id').select(ACCOUNT_COLUMNS);

/** An account with its doctor profile, if it is a doctor's. */
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export function findAccount(db: Db, userId: string) {
  return accounts(db).where('users.id', '=', userId).executeTakeFirst();
}

/** By its address under each key in use: it stands under one of them. */
export function findAccountByEmail(db: Db, indexes: readonly Buffer[]) {
  return accounts(db).where('users.email_index', '=', anyOf('bytea', indexes)).executeTakeFirst();
}

/** Any number of accounts may name an NPI. Whoever is verified comes first. */
export function findAccountsByNpi(db: Db, indexes: readonly Buffer[]) {
  return accounts(db)
    .where('doctors.npi_index', '=', anyOf('bytea', indexes))
    .orderBy('doctors.verified', 'desc')
    .orderBy('users.id')
    .execute();
}

export function findAdminAccounts(db: Db) {
  return accounts(db).where('users.is_admin', '=', true).execute();
}

/** The account, which cannot go before the transaction ends. */
export function holdAccountByEmail(trx: Db, indexes: readonly Buffer[]) {
  return trx
    .selectFrom('users')
    .select(['id', 'sealed'])
    .where('email_index', '=', anyOf('bytea', indexes))
    .forKeyShare()
    .executeTakeFirst();
}

/** The account, held for a change of it. Whoever changes one locks it before anything else. */
export function lockAccount(trx: Db, userId: string) {
  return trx
    .selectFrom('users')
    .select(HELD_COLUMNS)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** The account, which stays as it is while the transaction runs; others may hold it as well. */
export function holdAccount(trx: Db, userId: string) {
  return trx
    .selectFrom('users')
    .select(HELD_COLUMNS)
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
}

export async function updateAccount(trx: Db, userId: string, change: Updateable<DB['users']>) {
  await trx.updateTable('users').set(change).where('id', '=', userId).execute();
}

/** Makes whoever else holds one of the indexes wait until the transaction ends. */
export async function holdIndexes(trx: Db, indexes: readonly Buffer[]): Promise<void> {
  const locks = indexes.map((index) => index.readBigInt64BE());
  // All take them in one order, so that no two wait for each other.
  locks.sort((one, other) => (one < other ? -1 : 1));
  await sql`
    select pg_advisory_xact_lock(id) from unnest(${locks.map(String)}::bigint[]) as id
  `.execute(trx);
}

/** With its doctor profile, which goes along. */
export async function deleteAccount(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}

/** False when the e-mail address has an account already. */
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
