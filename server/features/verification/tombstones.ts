import { type Insertable, sql } from 'kysely';
import { POSTING_PAUSE_MONTHS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, seal, sealedWith, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import type { Strength } from '#server/npi-registry/evidence.ts';

const contextOf = (index: Buffer) => `tombstone/${index.toString('hex')}`;

/** The first day of a month, after this many full months. */
export function monthsFrom(now: Date, months: number): string {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 1);
  return new Date(first).toISOString().slice(0, 10);
}

/**
 * A tombstone binds claims that are no stronger than the account that left it. So an NPI has up to
 * two, under different hashes: a dump does not show that they belong together.
 */
const PURPOSES = { strong: 'npi-tombstone', weak: 'npi-tombstone-weak' } as const;

interface Marked {
  readonly npi: string;
  readonly strength: Strength;
}

const rowOf = (keys: Keys, marked: Marked) => {
  const npi_index = keys.index(PURPOSES[marked.strength], marked.npi);
  return { npi_index, sealed: seal(currentKey(keys.sealing), contextOf(npi_index), marked) };
};

/** Bans an NPI from verification under any account that is no stronger. */
export const banNpi = (keys: Keys, trx: Db, npi: string, strength: Strength): Promise<void> =>
  putTombstone(trx, { ...rowOf(keys, { npi, strength }), kind: 'banned', ends_on: null });

/**
 * Keeps new accounts with an NPI from posting: for a year if reviews were kept, or until the last
 * one is deleted. The end is the first day of a month, so that it does not reveal when the account
 * was deleted.
 */
export function leaveTombstone(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  marked: Marked,
  reviews: 'keep' | 'delete_gradually',
): Promise<void> {
  const ends_on = monthsFrom(clock(), reviews === 'keep' ? POSTING_PAUSE_MONTHS : 1);
  return putTombstone(trx, { ...rowOf(keys, marked), kind: 'left_reviews', ends_on });
}

/** Adds a tombstone. A ban stays a ban; otherwise the later end wins. */
async function putTombstone(db: Db, row: Insertable<DB['npi_tombstones']>): Promise<void> {
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

/** The tombstones that bind a claim. */
const binding = (keys: Keys, npi: string, strength: Strength) =>
  anyOf('bytea', [
    ...keys.indexes(PURPOSES.strong, npi),
    ...(strength === 'weak' ? keys.indexes(PURPOSES.weak, npi) : []),
  ]);

export interface Tombstone {
  kind: 'banned' | 'left_reviews';
  ends_on: string | null;
}

/** The strictest tombstone that binds a claim to an NPI, under any of the current keys. */
export async function tombstoneOf(
  keys: Keys,
  db: Db,
  npi: string,
  strength: Strength,
): Promise<Tombstone | null> {
  const row = await db
    .selectFrom('npi_tombstones')
    .select(['kind', 'ends_on'])
    .where('npi_index', '=', binding(keys, npi, strength))
    // 'banned' before 'left_reviews'.
    .orderBy('kind')
    .orderBy('ends_on', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row, kind: row.kind as Tombstone['kind'] } : null;
}

/** False if the NPI is not banned. */
export async function unbanNpi(keys: Keys, trx: Db, npi: string) {
  const { numDeletedRows } = await trx
    .deleteFrom('npi_tombstones')
    .where('npi_index', '=', binding(keys, npi, 'weak'))
    .where('kind', '=', 'banned')
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteExpiredTombstones(db: Db, today: string): Promise<void> {
  await db.deleteFrom('npi_tombstones').where('ends_on', '<=', today).execute();
}

/** Updates tombstones to the current index and sealing keys. Returns how many changed. */
export async function rekeyTombstones({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  let changed = 0;
  const rows = await db.selectFrom('npi_tombstones').select(['npi_index', 'sealed']).execute();
  for (const { npi_index, sealed } of rows) {
    const next = rowOf(keys, unseal<Marked>(keys.sealing, contextOf(npi_index), sealed));
    const isSealed = sealedWith(sealed) === currentKey(keys.sealing).id;
    if (isSealed && next.npi_index.equals(npi_index)) continue;
    await replaceTombstone(db, npi_index, next);
    changed += 1;
  }
  return changed;
}

/** Moves a tombstone to other keys, merging it with one that already exists there. */
const replaceTombstone = (db: Db, former: Buffer, row: ReturnType<typeof rowOf>): Promise<void> =>
  inTransaction(db, async (trx) => {
    const tombstone = await trx
      .deleteFrom('npi_tombstones')
      .where('npi_index', '=', former)
      .returning(['kind', 'ends_on'])
      .executeTakeFirst();
    if (tombstone) await putTombstone(trx, { ...tombstone, ...row });
  });
