import { sql } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { lockAccounts } from '#server/features/accounts/identity/account-queries.ts';
import { emailIndex, npiIndex, openIdentity } from '#server/features/accounts/identity/identity.ts';

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
    const accounts = await outdated(db, keys, ids);
    if (accounts.length > 0) total.changed += await write(db, accounts);
    total.outdated += accounts.length;
    onProgress(from + ids.length, userIds.length);
  }
  return total;
}

async function outdated(db: Db, keys: Keys, ids: readonly string[]): Promise<Reindexed[]> {
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

async function write(db: Db, accounts: readonly Reindexed[]): Promise<number> {
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
    throw await clash(db, accounts);
  }
}

/** Happens only if a server without the other key created the second account. */
async function clash(db: Db, accounts: readonly Reindexed[]): Promise<OperatorError> {
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
