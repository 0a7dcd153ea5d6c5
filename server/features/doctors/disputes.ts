import { randomBytes } from 'node:crypto';
import { DAY_MS } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './queries.ts';

/** How long an account that lost its NPI to a proof can prove it as well. */
export const DISPUTE_DAYS = 30;

/** An account that lost its NPI to someone who proved to hold it. */
export interface Dispute {
  readonly userId: string;
  /** The day it lost it, `YYYY-MM-DD`. */
  readonly since: string;
  /** What makes the random minutes that its reviews are held at. */
  readonly seed: string;
  /** Until when its reviews have been held, in milliseconds. */
  readonly heldThrough: number;
}

export interface OpenDispute extends Dispute {
  readonly id: string;
}

const CONTEXT = 'npi-dispute';

const sealDispute = (keys: Keys, { userId, since, seed, heldThrough }: Dispute) =>
  seal(keys.disputes[0], CONTEXT, { userId, since, seed, heldThrough });

/** When the time to prove it ends, in milliseconds. */
export const endOf = ({ since }: Pick<Dispute, 'since'>) =>
  Date.parse(since) + (DISPUTE_DAYS + 1) * DAY_MS;

type DisputeDeps = Pick<Deps, 'keys' | 'clock'>;

/** Opens the time in which an account can prove to hold the NPI that it has just lost. */
export async function openDispute(
  { keys, clock }: DisputeDeps,
  trx: Db,
  userId: string,
): Promise<void> {
  const since = toDay(clock());
  const seed = randomBytes(16).toString('base64');
  const sealed = sealDispute(keys, { userId, since, seed, heldThrough: endOf({ since }) });
  await queries.insertDispute(trx, { sealed });
}

/** All that are open. There are few: each takes a proof. */
export async function openDisputes({ keys }: Pick<Deps, 'keys'>, db: Db): Promise<OpenDispute[]> {
  const rows = await queries.selectDisputes(db);
  return rows.map(({ id, sealed }) => ({ ...unseal<Dispute>(keys.disputes, CONTEXT, sealed), id }));
}

/** The last day to prove it, `YYYY-MM-DD`. */
export const lastDayOf = (dispute: Dispute) => toDay(new Date(endOf(dispute) - DAY_MS));

/** Ends the dispute of an account. False when there is none. */
export async function closeDispute(
  deps: Pick<Deps, 'keys'>,
  trx: Db,
  userId: string,
): Promise<boolean> {
  const own = (await openDisputes(deps, trx)).filter((dispute) => dispute.userId === userId);
  for (const { id } of own) await queries.deleteDispute(trx, id);
  return own.length > 0;
}

export async function changeDispute(
  { keys }: Pick<Deps, 'keys'>,
  db: Db,
  dispute: OpenDispute,
): Promise<void> {
  await queries.updateDispute(db, dispute.id, sealDispute(keys, dispute));
}

/** Seals disputes under the current authorship key. Returns how many changed. */
export async function resealDisputes({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<number> {
  const [{ id: current }] = keys.disputes;
  const rows = await queries.selectDisputes(db);
  const outdated = rows.filter(({ sealed }) => sealedWith(sealed) !== current);
  for (const { id, sealed } of outdated) {
    await changeDispute({ keys }, db, { ...unseal<Dispute>(keys.disputes, CONTEXT, sealed), id });
  }
  return outdated.length;
}
