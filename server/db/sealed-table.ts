import { sql } from 'kysely';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import {
  currentKey,
  openUnexpired,
  seal,
  sealedWith,
  unsealOrNull,
} from '#server/anonymity/seal.ts';
import type { Db } from './open.ts';
import type { DB } from './types.ts';

/**
 * How many rows are read at once. The weekly mail does one batch a minute, so that few mails wait.
 */
export const BATCH_SIZE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface SealedTable {
  /** A table with the columns `user_id` and `sealed`. */
  readonly table: 'letters' | 'saved_lists' | 'staff_factors';
  /** Binds a value to its table; the account's id binds it to its row. */
  readonly context: string;
  /** Values are padded to a multiple of this, so that their length tells nothing. */
  readonly blockBytes: number;
  /** The keys that open values. The first one seals them. */
  readonly keysOf: (keys: Pick<Keys, 'sealing' | 'savedLists'>) => readonly SealingKey[];
}

/** A table with one sealed value per account. */
export function sealedTable<T>({ table, context, blockBytes, keysOf }: SealedTable) {
  // All of these tables have the same two columns.
  const name = table as 'saved_lists';
  const contextOf = (userId: string) => `${context}/${userId}`;

  const sealFor = (keys: Keys, userId: string, value: T): Buffer =>
    seal(currentKey(keysOf(keys)), contextOf(userId), value, { blockBytes });

  /** Null if its key is gone, or it belongs to another account. */
  const open = (keys: Keys, userId: string, sealed: Buffer): T | null =>
    unsealOrNull<T>(keysOf(keys), contextOf(userId), sealed);

  async function find(db: Db, userId: string): Promise<Buffer | null> {
    const row = await db
      .selectFrom(name)
      .select('sealed')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.sealed ?? null;
  }

  /** Replaces a value unless it has changed. Returns whether it did. */
  async function replace(db: Db, userId: string, before: Buffer, sealed: Buffer) {
    const { numUpdatedRows } = await db
      .updateTable(name)
      .set({ sealed })
      .where('user_id', '=', userId)
      .where('sealed', '=', before)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Returns whether there was one. */
  async function remove(db: Db, userId: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom(name)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** The next rows of the accounts after an id, in the order of their ids. */
  const rowsAfter = (db: Db, userId: string) =>
    db
      .selectFrom(name)
      .select(['user_id', 'sealed'])
      .where('user_id', '>', userId)
      .orderBy('user_id')
      .limit(BATCH_SIZE)
      .execute();

  async function* batches(db: Db) {
    for (let rows = await rowsAfter(db, FIRST); rows.length > 0; ) {
      yield rows;
      rows = await rowsAfter(db, rows.at(-1)?.user_id ?? '');
    }
  }

  /**
   * Reseals all values under the current key, except those that change at the same time, and those
   * whose key is lost. Returns how many were outdated.
   */
  async function reseal({ db, keys }: { db: Db; keys: Keys }): Promise<number> {
    const { id: current } = currentKey(keysOf(keys));
    let outdated = 0;
    for await (const rows of batches(db)) {
      for (const { user_id, sealed } of rows) {
        const value = sealedWith(sealed) === current ? null : open(keys, user_id, sealed);
        if (value === null) continue;
        await replace(db, user_id, sealed, sealFor(keys, user_id, value));
        outdated += 1;
      }
    }
    return outdated;
  }

  return { seal: sealFor, open, find, replace, remove, rowsAfter, batches, reseal };
}

/** The ids of all sealing keys that the database still needs. */
export async function sealingKeysInUse(db: Db): Promise<Set<string>> {
  // A database that no server has used has no job table.
  const { rows: jobs } = await sql`select where to_regclass('pgboss.job') is not null`.execute(db);
  const sealedJobs =
    jobs.length > 0
      ? sql`union all select decode(data ->> 'sealed', 'base64') from pgboss.job
          where data ->> 'sealed' is not null`
      : sql``;
  const { rows } = await sql<{ id: string }>`
    select distinct convert_from(substring(sealed from 3 for get_byte(sealed, 1)), 'utf8') as id
    from (
      select sealed from users
      union all select sealed from one_time_codes
      union all select sealed from password_resets
      union all select sealed from email_changes
      union all select sealed from email_undos
      union all select sealed from npi_tombstones
      union all select sealed from letters
      union all select sealed from mailbox_codes
      union all select sealed from staff_factors
      -- The beginning alone: the rest is up to 10 MB.
      union all select substring(sealed for 257) from legal_documents
      ${sealedJobs}
    ) as everything`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Tables of sealed values that expire: codes and links. */
type ExpiringTable = {
  [T in keyof DB]: DB[T] extends { sealed: unknown } ? T : never;
}[keyof DB];

/**
 * Deletes the rows whose value has expired or whose key is gone. All are opened, because only the
 * value says when it expires. `bound` is the column that the value's context is made of.
 */
export async function deleteExpiredRows<T extends ExpiringTable, Bound>(
  { db, keys, clock }: { db: Db; keys: Pick<Keys, 'sealing'>; clock: () => Date },
  table: T,
  bound: keyof DB[T] & string,
  contextOf: (bound: Bound) => string,
): Promise<void> {
  const { rows } = await sql<{ bound: Bound; sealed: Buffer }>`
    select ${sql.ref(bound)} as bound, sealed from ${sql.table(table)}`.execute(db);
  for (const row of rows) {
    if (openUnexpired(keys, contextOf(row.bound), row.sealed, clock()) !== null) continue;
    // A row that was replaced since it was read has another `sealed` and stays.
    await sql`
      delete from ${sql.table(table)}
      where ${sql.ref(bound)} = ${row.bound} and sealed = ${row.sealed}`.execute(db);
  }
}
