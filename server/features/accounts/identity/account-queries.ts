import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Role } from '#contract/staff-roles.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';

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
  'representatives.state as representation',
] as const;

/** The columns needed to change a password or lock reviews. */
const HELD_COLUMNS = [
  'id',
  'sealed',
  'password_hash',
  'author_secret',
  'recovery_secret',
  'author_salt',
] as const;

export type HeldAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

/** The roles that count: all of them in an office of one. Only administrators cost a function call. */
export const currentRoles = sql<Role[]>`
  case when users.is_admin then staff_roles(users.is_admin, users.roles) else users.roles end`.as(
  'roles',
);

const accounts = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .leftJoin('representatives', 'representatives.user_id', 'users.id')
    .select(ACCOUNT_COLUMNS)
    .select(currentRoles);

/** An account, with its doctor profile if it has one. */
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export function findAccount(db: Db, userId: string) {
  return accounts(db).where('users.id', '=', userId).executeTakeFirst();
}

export function findAccounts(db: Db, userIds: readonly string[]) {
  return accounts(db).where('users.id', '=', anyOf('uuid', userIds)).execute();
}

/** Finds an account by its address under any of the current keys. */
export function findAccountByEmail(db: Db, indexes: readonly Buffer[]) {
  return accounts(db).where('users.email_index', '=', anyOf('bytea', indexes)).executeTakeFirst();
}

/**
 * Several accounts may name one NPI. Verified ones come first. The planner has no statistics of
 * indexes (0002-accounts.sql), and would expect so many accounts that it reads all of them; of an
 * array, it expects few.
 */
export function findAccountsByNpi(db: Db, indexes: readonly Buffer[]) {
  const named = sql<string>`any(array(
    select user_id from doctors where npi_index = ${anyOf('bytea', indexes)}))`;
  return accounts(db)
    .where('users.id', '=', named)
    .orderBy('doctors.verified', 'desc')
    .orderBy('users.id')
    .execute();
}

/** All staff accounts, with their appointed roles. */
export function findAdminAccounts(db: Db) {
  return accounts(db)
    .where('users.is_admin', '=', true)
    .select('users.roles as appointed')
    .orderBy('users.id')
    .execute();
}

/** Accounts that belong to neither staff, a doctor, nor a representative. */
export function findFormerAdminAccounts(db: Db) {
  return accounts(db)
    .where('users.is_admin', '=', false)
    .where('doctors.user_id', 'is', null)
    .where('representatives.user_id', 'is', null)
    .orderBy('users.id')
    .execute();
}

const heldAccount = (trx: Db, userId: string) =>
  trx.selectFrom('users').select(HELD_COLUMNS).where('id', '=', userId).executeTakeFirst();

/** The account's number among advisory locks: the first half of its random id. */
const lockOf = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex');

/**
 * Locks accounts until the transaction ends. Every change to an account takes this lock before the
 * row: a row lock would leave the transaction in the row (`xmax`), and so tie the account to whatever
 * else the transaction writes.
 */
export const lockAccounts = (trx: Db, userIds: readonly string[]) =>
  holdIndexes(trx, userIds.map(lockOf));

/** Locks an account for a change. */
export async function lockAccount(trx: Db, userId: string) {
  await lockAccounts(trx, [userId]);
  // A separate statement sees what was committed while waiting.
  return heldAccount(trx, userId);
}

/** Locks an account against changes; concurrent transactions may do the same. */
export async function holdAccount(trx: Db, userId: string) {
  const lock = String(lockOf(userId).readBigInt64BE());
  await sql`select pg_advisory_xact_lock_shared(${lock}::bigint)`.execute(trx);
  return heldAccount(trx, userId);
}

/**
 * Like `holdAccount`, for the account that has the address once it is locked. Sends as many statements
 * if there is none.
 */
export async function holdAccountByEmail(trx: Db, indexes: readonly Buffer[]) {
  const found = await findAccountByEmail(trx, indexes);
  await holdAccount(trx, found?.id ?? randomUUID());
  const held = await findAccountByEmail(trx, indexes);
  return held?.id === found?.id ? held : undefined;
}

/** Takes an advisory lock on each index, held until the transaction ends. */
export async function holdIndexes(trx: Db, indexes: readonly Buffer[]): Promise<void> {
  const locks = indexes.map((index) => index.readBigInt64BE());
  // Locks are always taken in the same order, which prevents deadlocks.
  locks.sort((one, other) => (one < other ? -1 : 1));
  await sql`
    select pg_advisory_xact_lock(id) from unnest(${locks.map(String)}::bigint[]) as id
  `.execute(trx);
}

/** Account ids of all doctors, or only of unverified ones, ordered by random id. */
export async function selectDoctorIds(
  db: Db,
  { unverifiedOnly }: { unverifiedOnly: boolean },
): Promise<string[]> {
  const rows = await db
    .selectFrom('doctors')
    .select('user_id')
    .$if(unverifiedOnly, (q) => q.where('verified', '=', false))
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** The permissions of an unverified doctor. */
export const UNVERIFIED = { verified: false, can_post_reviews: false, posting_from: null } as const;

/** A doctor's permissions, locked until the transaction ends. */
export function lockDoctor(db: Db, userId: string) {
  return db
    .selectFrom('doctors')
    .select(['verified', 'can_post_reviews', 'posting_from'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}
