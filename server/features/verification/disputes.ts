import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { DAY_MS } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';

/** How long an account that lost its NPI has to prove it. */
export const DISPUTE_DAYS = 30;
/** How long it then takes to hold all its reviews. */
const HOLDING_DAYS = 30;

/** An account that lost its NPI to an account with a proof. */
export interface Dispute {
  readonly userId: string;
  /** The day of the loss, `YYYY-MM-DD`. */
  readonly since: string;
  /** Random and unique. The times at which reviews are held are derived from it. */
  readonly seed: string;
  /** Reviews due until then have been held (Unix time in milliseconds). */
  readonly heldThrough: number;
}

const CONTEXT = 'npi-dispute';

/** Deadline for a proof, in milliseconds. */
export const endOf = ({ since }: Pick<Dispute, 'since'>) =>
  Date.parse(since) + (DISPUTE_DAYS + 1) * DAY_MS;

/** When all reviews have been held, in milliseconds. */
export const endOfHolding = (dispute: Pick<Dispute, 'since'>) =>
  endOf(dispute) + HOLDING_DAYS * DAY_MS;

/**
 * When to hold a review: a random time in the month after the deadline, precise enough that no two
 * reviews share it.
 */
export function timeToHold(dispute: Pick<Dispute, 'since' | 'seed'>, reviewId: string): number {
  const random = createHmac('sha256', dispute.seed).update(reviewId).digest().readUIntBE(0, 6);
  return endOf(dispute) + (random / 2 ** 48) * HOLDING_DAYS * DAY_MS;
}

/** Starts the period in which an account can prove the NPI it has just lost. */
export async function openDispute(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  trx: Db,
  userId: string,
): Promise<void> {
  const since = toDay(clock());
  const seed = randomBytes(16).toString('base64');
  const opened = { userId, since, seed, heldThrough: endOf({ since }) };
  await changeDisputes(keys, trx, (all) => [...all, opened]);
}

const selectDisputes = (db: Db) => db.selectFrom('npi_disputes').select('sealed').execute();

/** All open disputes. There are few, because each requires a proof. */
export async function openDisputes(keys: Keys, db: Db): Promise<Dispute[]> {
  const rows = await selectDisputes(db);
  // Skips disputes whose key is lost: without it, the reviews cannot be found either.
  return rows
    .filter(({ sealed }) => keys.disputes.some(({ id }) => id === sealedWith(sealed)))
    .map(({ sealed }) => unseal<Dispute>(keys.disputes, CONTEXT, sealed));
}

export async function findDispute(keys: Keys, db: Db, userId: string) {
  return (await openDisputes(keys, db)).find((dispute) => dispute.userId === userId) ?? null;
}

/** The last day for a proof, `YYYY-MM-DD`. */
export const lastDayOf = (dispute: Dispute) => toDay(new Date(endOf(dispute) - DAY_MS));

/** Ends the dispute of an account. False if there is none. */
export async function closeDispute(keys: Keys, trx: Db, userId: string) {
  if (!(await findDispute(keys, trx, userId))) return false;
  await changeDisputes(keys, trx, (all) => all.filter((dispute) => dispute.userId !== userId));
  return true;
}

/** Ends a dispute with nothing left to hold. */
export const endDispute = (keys: Keys, trx: Db, { seed }: Dispute) =>
  changeDisputes(keys, trx, (all) => all.filter((dispute) => dispute.seed !== seed));

/** Records up to when reviews have been held. */
export const noteHeld = (
  keys: Keys,
  trx: Db,
  { seed }: Dispute,
  heldThrough: number,
): Promise<void> =>
  changeDisputes(keys, trx, (all) =>
    all.map((dispute) => (dispute.seed === seed ? { ...dispute, heldThrough } : dispute)),
  );

/**
 * Replaces all disputes, resealed under new random ids, so that neither transaction ids nor a
 * comparison of two dumps links a dispute to a review held at the same time.
 */
async function changeDisputes(
  keys: Keys,
  trx: Db,
  change: (all: readonly Dispute[]) => readonly Dispute[],
): Promise<void> {
  await sql`lock table npi_disputes in share row exclusive mode`.execute(trx);
  const changed = change(await openDisputes(keys, trx));
  const rows = changed.map((dispute) => ({ sealed: seal(keys.disputes[0], CONTEXT, dispute) }));
  // Sorted by ciphertext, which is random.
  rows.sort((one, other) => Buffer.compare(one.sealed, other.sealed));
  await trx.deleteFrom('npi_disputes').execute();
  if (rows.length > 0) await trx.insertInto('npi_disputes').values(rows).execute();
}

/** Reseals disputes under the current authorship key. Returns how many changed. */
export async function resealDisputes({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  const [{ id: current }] = keys.disputes;
  const rows = await selectDisputes(db);
  const outdated = rows.filter(({ sealed }) => sealedWith(sealed) !== current).length;
  if (outdated > 0) await inTransaction(db, (trx) => changeDisputes(keys, trx, (all) => all));
  return outdated;
}
