import { type Insertable, sql } from 'kysely';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';

/** Adds a tombstone. A ban stays a ban; otherwise the later end wins. */
export async function putTombstone(db: Db, row: Insertable<DB['npi_tombstones']>): Promise<void> {
  await db
    .insertInto('npi_tombstones')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('npi_index').doUpdateSet((eb) => ({
        kind: sql`case when 'banned' in (npi_tombstones.kind, excluded.kind) then 'banned'
          else 'left_reviews' end`,
        ends_on: sql`case when 'banned' in (npi_tombstones.kind, excluded.kind) then null
          else greatest(npi_tombstones.ends_on, excluded.ends_on) end`,
        sealed: eb.ref('excluded.sealed'),
      })),
    )
    .execute();
}

/** The stricter tombstone of an NPI under any of the keys in use. */
export function findTombstone(db: Db, indexes: readonly Buffer[]) {
  return (
    db
      .selectFrom('npi_tombstones')
      .select(['kind', 'ends_on'])
      .where('npi_index', '=', anyOf('bytea', indexes))
      // 'banned' before 'left_reviews'.
      .orderBy('kind')
      .orderBy('ends_on', 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}

export const selectTombstones = (db: Db) =>
  db.selectFrom('npi_tombstones').select(['npi_index', 'sealed']).execute();

/** Moves a tombstone to other keys, and merges it with one that exists there. */
export const replaceTombstone = (
  db: Db,
  former: Buffer,
  row: Pick<Insertable<DB['npi_tombstones']>, 'npi_index' | 'sealed'>,
): Promise<void> =>
  inTransaction(db, async (trx) => {
    const tombstone = await trx
      .deleteFrom('npi_tombstones')
      .where('npi_index', '=', former)
      .returning(['kind', 'ends_on'])
      .executeTakeFirst();
    if (tombstone) await putTombstone(trx, { ...tombstone, ...row });
  });

export async function deleteBan(db: Db, indexes: readonly Buffer[]): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('npi_tombstones')
    .where('npi_index', '=', anyOf('bytea', indexes))
    .where('kind', '=', 'banned')
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteEndedTombstones(db: Db, today: string): Promise<void> {
  await db.deleteFrom('npi_tombstones').where('ends_on', '<=', today).execute();
}

/** Locks disputes against changes until the transaction ends. */
export const lockDisputes = (trx: Db) =>
  sql`lock table npi_disputes in share row exclusive mode`.execute(trx);

export const selectDisputes = (db: Db) => db.selectFrom('npi_disputes').select('sealed').execute();

/** Replaces all disputes, with new random ids. */
export async function replaceDisputes(
  trx: Db,
  rows: readonly Insertable<DB['npi_disputes']>[],
): Promise<void> {
  await trx.deleteFrom('npi_disputes').execute();
  if (rows.length > 0) await trx.insertInto('npi_disputes').values(rows).execute();
}
