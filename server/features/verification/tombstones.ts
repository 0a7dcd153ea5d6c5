import { POSTING_PAUSE_MONTHS } from '#contract/limits.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { currentKey, seal, sealedWith, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './queries.ts';

const contextOf = (index: Buffer) => `tombstone/${index.toString('hex')}`;

/** The first day of a month, after this many full months. */
export function monthsFrom(now: Date, months: number): string {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 1);
  return new Date(first).toISOString().slice(0, 10);
}

const rowOf = (keys: Keys, npi: string) => {
  const npi_index = keys.index('npi-tombstone', npi);
  return { npi_index, sealed: seal(currentKey(keys.sealing), contextOf(npi_index), npi) };
};

/** Bans an NPI from verification under any account. */
export const banNpi = ({ keys }: Pick<Deps, 'keys'>, trx: Db, npi: string): Promise<void> =>
  queries.putTombstone(trx, { ...rowOf(keys, npi), kind: 'banned', ends_on: null });

/**
 * Keeps new accounts with an NPI from posting: for a year if reviews were kept, or until the last
 * one is deleted. The end is the first day of a month, so that it does not reveal when the account
 * was deleted.
 */
export function leaveTombstone(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  npi: string,
  reviews: 'keep' | 'delete_gradually',
): Promise<void> {
  const ends_on = monthsFrom(clock(), reviews === 'keep' ? POSTING_PAUSE_MONTHS : 1);
  return queries.putTombstone(trx, { ...rowOf(keys, npi), kind: 'left_reviews', ends_on });
}

const indexesOf = (keys: Keys, npi: string) => keys.indexes('npi-tombstone', npi);

export interface Tombstone {
  kind: 'banned' | 'left_reviews';
  ends_on: string | null;
}

export async function tombstoneOf(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  npi: string,
): Promise<Tombstone | null> {
  const row = await queries.findTombstone(db, indexesOf(keys, npi));
  return row ? { ...row, kind: row.kind as Tombstone['kind'] } : null;
}

/** Updates tombstones to the current index and sealing keys. Returns how many changed. */
export async function rekeyTombstones({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  let changed = 0;
  for (const { npi_index, sealed } of await queries.selectTombstones(db)) {
    const npi = unseal<string>(keys.sealing, contextOf(npi_index), sealed);
    const next = rowOf(keys, npi);
    const isSealed = sealedWith(sealed) === currentKey(keys.sealing).id;
    if (isSealed && next.npi_index.equals(npi_index)) continue;
    await queries.replaceTombstone(db, npi_index, next);
    changed += 1;
  }
  return changed;
}

/** False if the NPI is not banned. */
export const unbanNpi = ({ keys }: Pick<Deps, 'keys'>, trx: Db, npi: string): Promise<boolean> =>
  queries.deleteBan(trx, indexesOf(keys, npi));
