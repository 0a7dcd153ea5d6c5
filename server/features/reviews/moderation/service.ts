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

/** One page of the reviews for moderators, and the number on all pages. */
export async function listModerated(deps: ModerationDeps, query: ReportsQuery) {
  const select = query.show === 'open' ? queries.selectReported : queries.selectRemoved;
  const { ids, count } = await select(deps.db, query);
  return { reviews: await moderatedReviews(deps, ids), count };
}

/** Published and removed reviews with their open reports, in the order of `ids`. */
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

/**
 * Removes a review from the public pages; only its author still sees it, with the reason. Triggers
 * update averages and counts in the same transaction. Throws `not_found`.
 */
export function removeReported(
  deps: ModerationDeps,
  moderator: string,
  id: string,
  reason: string,
): Promise<ModeratedReview> {
  return decide(deps, id, async (trx) => {
    if (!(await updateReview(trx, id, { removed_reason: reason }))) throw new AppError('not_found');
    await recordAct(trx, deps.clock, {
      actor: moderator,
      action: 'review.remove',
      subject: id,
      details: { reason },
    });
  });
}

/**
 * Removes a review from the public pages until a moderator decides, as a case like any other. Does
 * nothing if the review is deleted or already removed.
 */
export function holdForModerators(deps: ModerationDeps, id: string): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    if (await hidePublished(trx, id, HELD)) await askModerators(trx, deps.clock, id);
  });
}

const HELD = 'A moderator is going to look at this review.';

/**
 * Publishes a removed review again. For a review that was only held, the log says `review.keep`: a
 * different action would reveal forever which reviews were held. Throws `not_found`.
 */
export function restoreReview(
  deps: ModerationDeps,
  moderator: string,
  id: string,
): Promise<ModeratedReview> {
  return decide(deps, id, async (trx) => {
    const action = (await queries.isHeld(trx, id)) ? 'review.keep' : 'review.restore';
    if (!(await updateReview(trx, id, { removed_reason: null }))) throw new AppError('not_found');
    await recordAct(trx, deps.clock, { actor: moderator, action, subject: id });
  });
}

/**
 * Closes the reports of a review and keeps it public. A held review is published again. Throws
 * `not_found`.
 */
export function keepReview(
  deps: ModerationDeps,
  moderator: string,
  id: string,
): Promise<ModeratedReview> {
  return decide(deps, id, async (trx) => {
    if (await queries.isHeld(trx, id)) await updateReview(trx, id, { removed_reason: null });
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
