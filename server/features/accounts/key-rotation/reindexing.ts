import { sql } from 'kysely';
import type { Keys } from '#server/anonymity/keys.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { OperatorError } from '#server/operator-error.ts';
import { emailIndex, npiIndex, openIdentity } from '../identity/identity.ts';

/** Accounts that change in one statement. */
const AT_ONCE = 500;

interface Reindexed {
  id: string;
  sealed: Buffer;
  email_index: Buffer;
  npi_index: Buffer | null;
}

/**
 * Has accounts found by the current index key, whichever other one they were found by: the sealed
 * identity tells the address and NPI. One that is changed or deleted meanwhile is left as it is,
 * and comes with the next round. Ends early when told to. Returns how many were found by another
 * key, and how many of these were changed.
 */
export async function reindexAccounts(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  userIds: readonly string[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<{ outdated: number; changed: number }> {
  const total = { outdated: 0, changed: 0 };
  for (let from = 0; from < userIds.length && !signal.aborted; from += AT_ONCE) {
    const ids = userIds.slice(from, from + AT_ONCE);
    const accounts = await outdated(db, keys, ids);
    if (accounts.length > 0) total.changed += await write(db, accounts);
    total.outdated += accounts.length;
    onProgress(from + ids.length);
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
      select count(*)::int as changed from changed`.execute(db);
    return rows[0]?.changed ?? 0;
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint !== 'users_email_unique' && constraint !== 'doctors_npi_verified') throw error;
    throw await clash(db, accounts);
  }
}

/** Only a server that did not know the other key can have let a second account in. */
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
      .map(({ one, other }) => `accounts ${one} and ${other} have one e-mail address or NPI`)
      .concat('of each two one has to go, before the old key does')
      .join('\n'),
  );
}
