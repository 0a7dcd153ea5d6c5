import { randomInt } from 'node:crypto';
import { DAY_MS } from '#contract/limits.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile } from '#server/features/accounts/service.ts';
import { holdForModerators, publishedBy } from '#server/features/reviews/service.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import {
  type Dispute,
  endDispute,
  endOf,
  endOfHolding,
  noteHeld,
  openDisputes,
  timeToHold,
} from './disputes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type HoldDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/**
 * Every minute: of the accounts that lost their NPI and have not proven it within 30 days, holds the
 * reviews whose time has come, as a case of its own each. The times are random and spread over a
 * month, so that nothing but this table, with the authorship key, tells that they are one author's.
 */
export function holdDisputedReviews(deps: HoldDeps): JobHandler<'hold-disputed-reviews'> {
  return async () => {
    for (const dispute of await openDisputes(deps, deps.db)) await holdNext(deps, dispute);
  };
}

async function holdNext(deps: HoldDeps, dispute: Dispute): Promise<void> {
  const { db, keys, clock } = deps;
  const now = clock().getTime();
  if (now < endOf(dispute)) return;
  const end = () => inTransaction(db, (trx) => endDispute(deps, trx, dispute));
  const profile = await loadProfile(deps, db, dispute.userId);
  if (!profile) return end();
  // Proven as well: that claim waits for an administrator.
  if (profile.doctor?.verification.proofs.length) return;
  const [next] = (await publishedBy(db, openAuthor(keys, dispute.userId)))
    .map((id) => ({ id, at: timeToHold(dispute, id) }))
    .filter(({ at }) => at > dispute.heldThrough)
    .toSorted((one, other) => one.at - other.at);
  if (!next) return now > endOfHolding(dispute) ? end() : undefined;
  if (next.at > now || !isItsTurn(now - next.at)) return;
  await holdForModerators(deps, next.id);
  // On its own, so that no transaction ties the review to the dispute. Done twice, it changes nothing.
  await inTransaction(db, (trx) => noteHeld(deps, trx, dispute, next.at));
}

/** What an outage has held up must not come one right after the other: then, about one a day. */
const isItsTurn = (lateMs: number) => lateMs < HOUR_MS || randomInt(DAY_MS / MINUTE_MS) === 0;
