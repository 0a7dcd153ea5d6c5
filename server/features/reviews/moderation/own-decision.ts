import type { OwnReview } from '#contract/reviews/reviews.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { updateReview } from '#server/features/reviews/rows/queries.ts';
import { noticesAbout } from '#server/legal-demands/demands.ts';
import { askAgain } from '../feedback/votes-and-reports.ts';
import { selectLastChanges } from './decision-queries.ts';
import { toOwnDecision } from './decision-row.ts';

/**
 * Adds to each of an author's reviews the last decision that changed whether it is public, and
 * legal demands. A decision to keep a review is omitted: it would reveal that somebody reported it.
 */
export async function withDecisions(
  db: Db,
  reviews: readonly OwnReview[],
  now: Date,
): Promise<OwnReview[]> {
  if (reviews.length === 0) return [];
  const ids = reviews.map(({ id }) => id);
  const [rows, notices] = await Promise.all([selectLastChanges(db, ids), noticesAbout(db, ids)]);
  const decisions = new Map(rows.map((row) => [row.review_id, toOwnDecision(row, now)]));
  return reviews.map((review) => {
    const decision = decisions.get(review.id);
    const legal_demands = notices.get(review.id);
    return { ...review, ...(decision && { decision }), ...(legal_demands && { legal_demands }) };
  });
}

/**
 * Throws `review_removed` unless the hidden review is waiting for its author to edit it, and
 * `appeal_open` while the author has appealed instead. The review must be locked.
 */
export async function requireEditable(trx: Db, now: Date, id: string): Promise<void> {
  const [row] = await selectLastChanges(trx, [id]);
  if (row?.outcome === 'hold' && row.text !== null && row.appeal_outcome === null) {
    throw new AppError('appeal_open');
  }
  if (!row || !toOwnDecision(row, now).may_edit) throw new AppError('review_removed');
}

const RESUBMITTED = 'A moderator is going to look at this review.';

/** Sends a held review back to the moderators after its author has edited it. It stays hidden. */
export async function resubmit(trx: Db, clock: Clock, id: string): Promise<void> {
  await updateReview(trx, id, { removed_reason: RESUBMITTED });
  await askAgain(trx, clock, id);
}
