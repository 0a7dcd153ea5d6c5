import { sql } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, sealedWith } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import {
  isSaltCurrent,
  openAuthorSalts,
  opensAuthorSalts,
  sealAuthorSalts,
  withNewSalt,
} from '../credentials/author-secret.ts';
import { lockAccounts } from '../identity/account-queries.ts';
import { emailIndex, npiIndex, openIdentity, sealIdentity } from '../identity/identity.ts';

/** Accounts per statement. */
const BATCH_SIZE = 500;

interface Reindexed {
  id: string;
  sealed: Buffer;
  email_index: Buffer;
  npi_index: Buffer | null;
}

/**
 * Updates the blind indexes of accounts to the current index key, computed from the sealed
 * identities. Accounts that change at the same time are skipped, and handled in the next round.
 * Stops early when `signal` aborts. Returns how many accounts were outdated and how many were
 * updated.
 */
export async function reindexAccounts(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<{ outdated: number; changed: number }> {
  const total = { outdated: 0, changed: 0 };
  for (let from = 0; from < userIds.length && !signal.aborted; from += BATCH_SIZE) {
    const ids = userIds.slice(from, from + BATCH_SIZE);
    const accounts = await outdatedIndexes(db, keys, ids);
    if (accounts.length > 0) total.changed += await writeIndexes(db, accounts);
    total.outdated += accounts.length;
    onProgress(from + ids.length, userIds.length);
  }
  return total;
}

async function outdatedIndexes(db: Db, keys: Keys, ids: readonly string[]): Promise<Reindexed[]> {
  const accounts = await db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .select(['id', 'sealed', 'email_index', 'npi_index'])
    .where('id', '=', anyOf('uuid', ids))
    .execute();
  return accounts.flatMap(({ id, sealed, ...found }) => {
    const { email, npi } = openIdentity(keys, id, sealed);
    const current = {
      email_index: emailIndex(keys, email),
      npi_index: npi === null ? null : npiIndex(keys, npi),
    };
    return isSame(found, current) ? [] : [{ id, sealed, ...current }];
  });
}

type IndexColumns = Pick<Reindexed, 'email_index' | 'npi_index'>;
const isSame = (one: IndexColumns, other: IndexColumns) =>
  one.email_index.equals(other.email_index) &&
  (one.npi_index && other.npi_index
    ? one.npi_index.equals(other.npi_index)
    : one.npi_index === other.npi_index);

const rowsOf = (accounts: readonly Reindexed[]) => sql`unnest(
  ${accounts.map(({ id }) => id)}::uuid[],
  ${accounts.map(({ sealed }) => sealed)}::bytea[],
  ${accounts.map(({ email_index }) => email_index)}::bytea[],
  ${accounts.map(({ npi_index }) => npi_index)}::bytea[]
) as fresh (id, sealed, email_index, npi_index)`;

async function writeIndexes(db: Db, accounts: readonly Reindexed[]): Promise<number> {
  try {
    return await inTransaction(db, async (trx) => {
      await lockAccounts(
        trx,
        accounts.map(({ id }) => id),
      );
      const { rows } = await sql<{ changed: number }>`
        with changed as (
          update users set email_index = fresh.email_index
          from ${rowsOf(accounts)}
          where users.id = fresh.id and users.sealed = fresh.sealed
          returning users.id, fresh.npi_index
        ),
        of_doctors as (
          update doctors set npi_index = changed.npi_index
          from changed where doctors.user_id = changed.id
        )
        select count(*)::int as changed from changed`.execute(trx);
      return rows[0]?.changed ?? 0;
    });
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint !== 'users_email_unique' && constraint !== 'doctors_npi_verified') throw error;
    throw await clashError(db, accounts);
  }
}

/** Happens only if a server without the other key created the second account. */
async function clashError(db: Db, accounts: readonly Reindexed[]): Promise<OperatorError> {
  const { rows } = await sql<{ one: string; other: string }>`
    select users.id as one, fresh.id as other
    from users
    left join doctors on doctors.user_id = users.id and doctors.verified
    join ${rowsOf(accounts)} on users.id <> fresh.id
      and (users.email_index = fresh.email_index or doctors.npi_index = fresh.npi_index)`.execute(
    db,
  );
  return new OperatorError(
    rows
      .map(({ one, other }) => `accounts ${one} and ${other} have the same email address or NPI`)
      .concat('delete one account of each pair before you remove the old key')
      .join('\n'),
  );
}

/** The ids of all accounts in random order. */
export async function accountIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').orderBy(sql`random()`).execute();
  return rows.map(({ id }) => id);
}

interface Resealing {
  column: 'sealed' | 'author_salt';
  isCurrent: (sealed: Buffer, userId: string) => boolean;
  reseal: (userId: string, sealed: Buffer) => Buffer;
}

/** Reseals identities under the current key of `SEALING_KEYS`. Returns how many changed. */
export function resealIdentities(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const { id: current } = currentKey(keys.sealing);
  const resealing: Resealing = {
    column: 'sealed',
    isCurrent: (sealed) => sealedWith(sealed) === current,
    reseal: (userId, sealed) => sealIdentity(keys, userId, openIdentity(keys, userId, sealed)),
  };
  return reseal(db, userIds, resealing, onProgress);
}

/**
 * Gives all accounts another salt, under the current authorship key, locked or not: a log-in must not
 * change the account, and the row must not show who has locked reviews. Returns how many changed.
 */
export function addAuthorSalts(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const resealing: Resealing = {
    column: 'author_salt',
    // If its key is lost, a salt is left unchanged. Locking creates a new one.
    isCurrent: (sealed, userId) =>
      !opensAuthorSalts(keys, sealed) || isSaltCurrent(keys, userId, sealed),
    reseal: (userId, sealed) =>
      sealAuthorSalts(keys, userId, withNewSalt(keys, openAuthorSalts(keys, userId, sealed))),
  };
  return reseal(db, userIds, resealing, onProgress);
}

/** Skips accounts that change at the same time; the next round handles them. */
async function reseal(
  db: Db,
  userIds: readonly string[],
  { column, isCurrent, reseal }: Resealing,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  let changed = 0;
  for (const [at, userId] of userIds.entries()) {
    const account = await findSealed(db, userId, column);
    if (account && !isCurrent(account.value, userId)) {
      await inTransaction(db, async (trx) => {
        await lockAccounts(trx, [userId]);
        await trx
          .updateTable('users')
          .set({ [column]: reseal(userId, account.value) })
          .where('id', '=', userId)
          .where(column, '=', account.value)
          .execute();
      });
      changed += 1;
    }
    onProgress(at + 1, userIds.length);
  }
  return changed;
}

const findSealed = (db: Db, userId: string, column: Resealing['column']) =>
  db
    .selectFrom('users')
    .select((eb) => eb.ref(column).as('value'))
    .where('id', '=', userId)
    .executeTakeFirst();
