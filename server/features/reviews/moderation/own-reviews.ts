import type { OwnReview } from '#contract/reviews/reviews.ts';
import type { Author, AuthorKeys } from '#server/anonymity/author.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { noticesAbout } from '#server/legal-demands/demands.ts';
import { askAgain } from '../feedback/votes-and-reports.ts';
import * as queries from '../rows/queries.ts';
import { toOwnReview, toOwnReviews } from '../rows/review-row.ts';
import * as scheduled from '../rows/scheduled-queries.ts';
import { isAppealOpen, selectLastChanges, toOwnDecision } from './decision-queries.ts';

/**
 * Adds to each of an author's reviews the last decision that changed whether it is public, and
 * legal demands. A decision to keep a review is omitted: it would reveal that somebody reported it.
 */
async function withDecisions(
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
 * Throws `review_removed` unless the hidden review is waiting for its author to edit it,
 * `awaits_moderator` once its author has, and `appeal_open` while the author has appealed instead.
 * The review must be locked.
 */
export async function requireEditable(
  trx: Db,
  now: Date,
  id: string,
  { identical }: { identical: boolean },
): Promise<void> {
  const [row] = await selectLastChanges(trx, [id]);
  if (row?.outcome === 'hold' && isAppealOpen(row)) throw new AppError('appeal_open');
  const decision = row && toOwnDecision(row, now);
  if (decision?.awaits_moderator) throw new AppError('awaits_moderator', { extra: { identical } });
  if (!decision?.may_edit) throw new AppError('review_removed');
}

const WAITS_FOR_MODERATOR = 'A moderator is going to look at this review.';

/** Sends a held review back to the moderators after its author has edited it. It stays hidden. */
export async function resubmit(trx: Db, clock: Clock, id: string): Promise<void> {
  await queries.updateReview(trx, id, { removed_reason: WAITS_FOR_MODERATOR });
  await askAgain(trx, clock, id);
}

/** The caller's own reviews, scheduled ones first. */
export async function ownReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { keys: author }: Author,
): Promise<OwnReview[]> {
  const now = clock();
  const toPublished = ({ has_scheduled: _, ...row }: OwnRow) => toOwnReview(row, now);
  const only = await queries.selectByAuthor(db, author);
  // Most authors have no scheduled reviews, so this is enough.
  if (only[0]?.has_scheduled === false) return withDecisions(db, only.map(toPublished), now);
  // In this order: one that goes live in between is in both results, and counts as published.
  const waiting = await scheduled.selectByAuthor(db, author);
  const rows = await queries.selectByAuthor(db, author);
  const ids = new Set(rows.map(({ id }) => id));
  const others = waiting.filter(({ id }) => !ids.has(id));
  const published = await withDecisions(db, rows.map(toPublished), now);
  return [...(await toOwnReviews(db, others, now)), ...published];
}

/** An author's published or removed review, as its author sees it. Throws `not_found`. */
export async function ownReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  author: AuthorKeys,
): Promise<OwnReview> {
  const row = await queries.selectOwn(db, id, author);
  if (!row) throw new AppError('not_found');
  const [review] = await withDecisions(db, [toOwnReview(row, clock())], clock());
  if (!review) throw new AppError('not_found');
  return review;
}

type OwnRow = Awaited<ReturnType<typeof queries.selectByAuthor>>[number];
