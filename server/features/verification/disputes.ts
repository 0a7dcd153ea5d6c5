import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MS } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './queries.ts';

/** How long an account that lost its NPI to a proof can prove it as well. */
export const DISPUTE_DAYS = 30;
/** How long its reviews take to be held after that. */
const HOLDING_DAYS = 30;

/** An account that lost its NPI to someone who proved to hold it. */
export interface Dispute {
  readonly userId: string;
  /** The day it lost it, `YYYY-MM-DD`. */
  readonly since: string;
  /** Makes the random times that its reviews are held at. No two disputes share it. */
  readonly seed: string;
  /** Until when its reviews have been held, in milliseconds. */
  readonly heldThrough: number;
}

const CONTEXT = 'npi-dispute';

/** When the time to prove it ends, in milliseconds. */
export const endOf = ({ since }: Pick<Dispute, 'since'>) =>
  Date.parse(since) + (DISPUTE_DAYS + 1) * DAY_MS;

/** When all of its reviews have had their time. */
export const endOfHolding = (dispute: Pick<Dispute, 'since'>) =>
  endOf(dispute) + HOLDING_DAYS * DAY_MS;

/**
 * When a review of the account is to be held: a random time of the month that follows the time to
 * prove. It is so fine that no two reviews share it: the second would count as held with the first.
 */
export function timeToHold(dispute: Pick<Dispute, 'since' | 'seed'>, reviewId: string): number {
  const random = createHmac('sha256', dispute.seed).update(reviewId).digest().readUIntBE(0, 6);
  return endOf(dispute) + (random / 2 ** 48) * HOLDING_DAYS * DAY_MS;
}

type DisputeDeps = Pick<Deps, 'keys' | 'clock'>;

/** Opens the time in which an account can prove to hold the NPI that it has just lost. */
export async function openDispute(
  { keys, clock }: DisputeDeps,
  trx: Db,
  userId: string,
): Promise<void> {
  const since = toDay(clock());
  const seed = randomBytes(16).toString('base64');
  const opened = { userId, since, seed, heldThrough: endOf({ since }) };
  await changeDisputes({ keys }, trx, (all) => [...all, opened]);
}

/** All that are open. There are few: each takes a proof. */
export async function openDisputes({ keys }: Pick<Deps, 'keys'>, db: Db): Promise<Dispute[]> {
  return opened(keys, await queries.selectDisputes(db));
}

/** Without those whose key is lost: with it went what finds the reviews. */
const opened = (keys: Keys, rows: readonly { sealed: Buffer }[]) =>
  rows
    .filter(({ sealed }) => keys.disputes.some(({ id }) => id === sealedWith(sealed)))
    .map(({ sealed }) => unseal<Dispute>(keys.disputes, CONTEXT, sealed));

/** The dispute of an account; null when there is none. */
export async function findDispute(
  deps: Pick<Deps, 'keys'>,
  db: Db,
  userId: string,
): Promise<Dispute | null> {
  return (await openDisputes(deps, db)).find((dispute) => dispute.userId === userId) ?? null;
}

/** The last day to prove it, `YYYY-MM-DD`. */
export const lastDayOf = (dispute: Dispute) => toDay(new Date(endOf(dispute) - DAY_MS));

/** Ends the dispute of an account. False when there is none. */
export async function closeDispute(
  deps: Pick<Deps, 'keys'>,
  trx: Db,
  userId: string,
): Promise<boolean> {
  if (!(await findDispute(deps, trx, userId))) return false;
  await changeDisputes(deps, trx, (all) => all.filter((dispute) => dispute.userId !== userId));
  return true;
}

/** Ends a dispute in which nothing is left to hold. */
export const endDispute = (deps: Pick<Deps, 'keys'>, trx: Db, { seed }: Dispute): Promise<void> =>
  changeDisputes(deps, trx, (all) => all.filter((dispute) => dispute.seed !== seed));

/** Notes how far the reviews of an account have been held. */
export const noteHeld = (
  deps: Pick<Deps, 'keys'>,
  trx: Db,
  { seed }: Dispute,
  heldThrough: number,
): Promise<void> =>
  changeDisputes(deps, trx, (all) =>
    all.map((dispute) => (dispute.seed === seed ? { ...dispute, heldThrough } : dispute)),
  );

/**
 * Changes the disputes. All are sealed anew under new ids: so neither the transaction that follows
 * the holding of a review nor a comparison of two dumps tells which dispute the review belongs to.
 */
async function changeDisputes(
  { keys }: Pick<Deps, 'keys'>,
  trx: Db,
  change: (all: readonly Dispute[]) => readonly Dispute[],
): Promise<void> {
  await queries.lockDisputes(trx);
  const changed = change(opened(keys, await queries.selectDisputes(trx)));
  const rows = changed.map((dispute) => ({ sealed: seal(keys.disputes[0], CONTEXT, dispute) }));
  // In the order of their ciphertexts, which are random.
  await queries.replaceDisputes(
    trx,
    rows.toSorted((one, other) => Buffer.compare(one.sealed, other.sealed)),
  );
}

/** Seals disputes under the current authorship key. Returns how many changed. */
export async function resealDisputes({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  const [{ id: current }] = keys.disputes;
  const rows = await queries.selectDisputes(db);
  const outdated = rows.filter(({ sealed }) => sealedWith(sealed) !== current).length;
  if (outdated > 0) await inTransaction(db, (trx) => changeDisputes({ keys }, trx, (all) => all));
  return outdated;
}
