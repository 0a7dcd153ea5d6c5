import type { ModeratedReview, ReportsQuery } from '#contract/review-moderation.ts';
import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { askModerators } from '../feedback/service.ts';
import { hidePublished, selectByIds, updateReview } from '../queries.ts';
import { toReviewRecord } from '../review-row.ts';
import * as queries from './queries.ts';

type ModerationDeps = Pick<Deps, 'db' | 'clock'>;

/** One page of what a moderator is to look at, and how much there is. */
export async function listModerated(deps: ModerationDeps, query: ReportsQuery) {
  const select = query.show === 'open' ? queries.selectReported : queries.selectRemoved;
  const { ids, count } = await select(deps.db, query);
  return { reviews: await moderatedReviews(deps, ids), count };
}

/** Reviews with their open reports, removed reviews too, in the order of `ids`. */
async function moderatedReviews(
  { db, clock }: ModerationDeps,
  ids: readonly string[],
): Promise<ModeratedReview[]> {
  if (ids.length === 0) return [];
  const [rows, reports] = await Promise.all([selectByIds(db, ids), queries.selectReports(db, ids)]);
  const now = clock();
  const byId = new Map(rows.map((row) => [row.id, toReviewRecord(row, now)]));
  return ids.flatMap((id) => {
    const review = byId.get(id);
    return review ? { review, reports: reports.get(id) ?? [] } : [];
  });
}

const setRemoved = (trx: Db, id: string, reason: string | null): Promise<boolean> =>
  updateReview(trx, id, { removed_reason: reason });

/**
 * Takes a review off the public pages; its author alone still sees it, with the reason. Averages
 * and counts follow in the same transaction. Throws `not_found`.
 */
export function removeReported(
  deps: ModerationDeps,
  moderator: string,
  id: string,
  reason: string,
): Promise<ModeratedReview> {
  return decide(deps, id, async (trx) => {
    if (!(await setRemoved(trx, id, reason))) throw new AppError('not_found');
    const details = { reason };
    const act = { actor: moderator, action: 'review.remove', subject: id, details };
    await recordAct(trx, deps.clock, act);
  });
}

/**
 * Takes a review off the public pages until a moderator has looked at it, as a case like any other.
 * A review that is gone or removed already is left alone.
 */
export function holdForModerators(deps: ModerationDeps, id: string): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    if (await hidePublished(trx, id, HELD)) await askModerators(trx, deps.clock, id);
  });
}

const HELD = 'A moderator is going to look at this review.';

/**
 * Publishes a removed review again. One that was only held is kept, in the log too: an entry of its
 * own kind would tell for ever which reviews were held. Throws `not_found`.
 */
export function restoreReview(
  deps: ModerationDeps,
  moderator: string,
  id: string,
): Promise<ModeratedReview> {
  return decide(deps, id, async (trx) => {
    const action = (await queries.isHeld(trx, id)) ? 'review.keep' : 'review.restore';
    if (!(await setRemoved(trx, id, null))) throw new AppError('not_found');
    await recordAct(trx, deps.clock, { actor: moderator, action, subject: id });
  });
}

/**
 * Answers the reports of a review by leaving it public; one that is held is published again. Throws
 * `not_found`.
 */
export function keepReview(
  deps: ModerationDeps,
  moderator: string,
  id: string,
): Promise<ModeratedReview> {
  return decide(deps, id, async (trx) => {
    if (await queries.isHeld(trx, id)) await setRemoved(trx, id, null);
    await recordAct(trx, deps.clock, { actor: moderator, action: 'review.keep', subject: id });
  });
}

function decide(
  { db, clock }: ModerationDeps,
  id: string,
  decision: (trx: Db) => Promise<void>,
): Promise<ModeratedReview> {
  return inTransaction(db, async (trx) => {
    await decision(trx);
    await queries.closeReports(trx, id);
    const [moderated] = await moderatedReviews({ db: trx, clock }, [id]);
    if (!moderated) throw new AppError('not_found');
    return moderated;
  });
}
