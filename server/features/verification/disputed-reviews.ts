import { randomInt } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#contract/limits.ts';
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

const HOUR_MS = 60 * MINUTE_MS;

type HoldDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/**
 * Runs every minute. For accounts that lost their NPI and did not prove it within 30 days, holds
 * each review for moderation at its random time within a month. The times are spread so that only
 * this table, together with the authorship key, reveals that the reviews share an author.
 */
export function holdDisputedReviews(deps: HoldDeps): JobHandler<'hold-disputed-reviews'> {
  return async () => {
    for (const dispute of await openDisputes(deps.keys, deps.db)) await holdNext(deps, dispute);
  };
}

async function holdNext(deps: HoldDeps, dispute: Dispute): Promise<void> {
  const { db, keys, clock } = deps;
  const now = clock().getTime();
  if (now < endOf(dispute)) return;
  const end = () => inTransaction(db, (trx) => endDispute(deps.keys, trx, dispute));
  const profile = await loadProfile(deps.keys, db, dispute.userId);
  if (!profile) return end();
  // Also proven: an administrator decides.
  if (profile.doctor?.verification.proofs.length) return;
  const [next] = (await publishedBy(db, openAuthor(keys, dispute.userId)))
    .map((id) => ({ id, at: timeToHold(dispute, id) }))
    .filter(({ at }) => at > dispute.heldThrough)
    .toSorted((one, other) => one.at - other.at);
  if (!next) return now > endOfHolding(dispute) ? end() : undefined;
  if (next.at > now || !shouldHoldNow(now - next.at)) return;
  await holdForModerators(deps, next.id);
  // A separate transaction, so that no transaction id links the review to the dispute. Holding a
  // review twice is harmless.
  await inTransaction(db, (trx) => noteHeld(deps.keys, trx, dispute, next.at));
}

/** After an outage, holds about one overdue review per day, not all at once. */
const shouldHoldNow = (lateMs: number) => lateMs < HOUR_MS || randomInt(DAY_MS / MINUTE_MS) === 0;
