import type { OwnReview, Review, ReviewFilterOptions } from '#contract/reviews.ts';
import type { Author } from '#server/anonymity/author.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { kept, type ListDeps, list, type Search } from '#server/listing/listing.ts';
import { leaveReviews } from './departed-authors.ts';
import {
  type EmployerPosition,
  lockReviews,
  moveReviews,
  selectPositions,
} from './employer-reviews.ts';
import { selectFilterOptions } from './filter-options.ts';
import { handOverReviews } from './hand-over.ts';
import { REVIEWS, type ReviewCriteria } from './list-query.ts';
import { holdForModerators } from './moderation/service.ts';
import * as queries from './queries.ts';
import { type ReviewRow, toOwnReview, toReview } from './review-row.ts';
import * as scheduled from './scheduled-queries.ts';
import { toOwnReviews } from './scheduled-row.ts';

/** One page of the published reviews, and how many there are on all pages. */
export async function listReviews(
  deps: ListDeps & Pick<Deps, 'clock'>,
  { search, ...criteria }: ReviewCriteria & { search?: string | undefined },
): Promise<{ reviews: Review[]; count: number }> {
  const { rows, count } = await list<ReviewRow, ReviewCriteria, Search>(
    deps,
    REVIEWS,
    criteria,
    search,
  );
  const now = deps.clock();
  return { reviews: rows.map((row) => toReview(row, now)), count };
}

/** The choices of the list's filters. */
export const reviewFilterOptions = (deps: ListDeps): Promise<ReviewFilterOptions> =>
  kept(deps, REVIEWS, 'filter-options', () => selectFilterOptions(deps.db));

/**
 * The caller's own reviews, scheduled ones first: found through the key that only their session can
 * name.
 */
export async function ownReviews(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { keys: author }: Author,
): Promise<OwnReview[]> {
  const now = clock();
  const only = await queries.selectByAuthor(db, author);
  // Most authors have nothing scheduled, and need no second look.
  if (only[0]?.has_scheduled === false) return only.map((row) => toPublished(row, now));
  // In this order: one that goes live in between is in both, and counts as published.
  const waiting = await scheduled.selectByAuthor(db, author);
  const rows = await queries.selectByAuthor(db, author);
  const ids = new Set(rows.map(({ id }) => id));
  const others = waiting.filter(({ id }) => !ids.has(id));
  const reviews = rows.map((row) => toPublished(row, now));
  return [...(await toOwnReviews(db, others, now)), ...reviews];
}

function toPublished(
  { has_scheduled: _, ...row }: Awaited<ReturnType<typeof queries.selectByAuthor>>[number],
  now: Date,
): OwnReview {
  return toOwnReview(row, now);
}

/** A published review. Throws `not_found`. */
export async function readReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<Review> {
  const row = await queries.selectReview(db, id);
  if (!row) throw new AppError('not_found');
  return toReview(row, clock());
}

/** The published reviews of an account that has not locked them. */
export async function publishedBy(db: Db, { keys }: Author): Promise<string[]> {
  const rows = await queries.selectByAuthor(db, keys);
  return rows.flatMap(({ id, removed_reason }) => (removed_reason === null ? [id] : []));
}

/** What other features use of this one's folders. */
export type { EmployerPosition };
export {
  handOverReviews,
  holdForModerators,
  leaveReviews,
  lockReviews,
  moveReviews,
  selectPositions,
};
