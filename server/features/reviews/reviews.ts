import type { ReviewFilterOptions } from '#contract/review-queries.ts';
import type { OwnReview, Review } from '#contract/reviews.ts';
import type { Author, AuthorKeys } from '#server/anonymity/author.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { kept, list } from '#server/listing/listing.ts';
import type { ListDeps, Search } from '#server/listing/resource.ts';
import { selectFilterOptions } from './list/filter-options.ts';
import type { ReviewCriteria } from './list/list-filters.ts';
import { REVIEWS } from './list/list-query.ts';
import { selectDays } from './list/sitemap-queries.ts';
import { withDecisions } from './moderation/own-decision.ts';
import * as queries from './queries.ts';
import { type ReviewRow, toOwnReview, toOwnReviews, toReview } from './review-row.ts';
import * as scheduled from './scheduled/scheduled-queries.ts';

/** One page of the published reviews, and the number on all pages. */
export async function listReviews(
  deps: ListDeps & Pick<Deps, 'clock'>,
  { search, ...criteria }: ReviewCriteria & { search?: string | undefined },
): Promise<{ results: Review[]; count: number; isClosest: boolean }> {
  const { rows, ...found } = await list<ReviewRow, ReviewCriteria, Search>(
    deps,
    REVIEWS,
    criteria,
    search,
  );
  const now = deps.clock();
  return { ...found, results: rows.map((row) => toReview(row, now)) };
}

/** The choices of the list's filters. */
export const reviewFilterOptions = (deps: ListDeps): Promise<ReviewFilterOptions> =>
  kept(deps, REVIEWS, 'filter-options', () => selectFilterOptions(deps.db));

/** The days on which a published review was written, newest first. */
export const reviewDays = (deps: ListDeps): Promise<string[]> =>
  kept(deps, REVIEWS, 'days', () => selectDays(deps.db));

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

/** A published review. Throws `not_found`. */
export async function readReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<Review> {
  const row = await queries.selectReview(db, id);
  if (!row) throw new AppError('not_found');
  return toReview(row, clock());
}

/** For other features. */
