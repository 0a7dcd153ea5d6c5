import type { ReviewFilterOptions } from '#contract/reviews/review-queries.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { ReviewCriteria } from '#server/features/reviews/list/list-query.ts';
import type { ListDeps, Search } from '#server/listing/list.ts';
import { kept, listPage } from '#server/listing/list-page.ts';
import { selectFilterOptions } from './list/filter-options.ts';
import { REVIEWS } from './list/list-query.ts';
import { selectDays } from './list/sitemap-queries.ts';
import * as queries from './rows/queries.ts';
import { type ReviewRow, toReview } from './rows/review-row.ts';

/** One page of the published reviews, and the number on all pages. */
export async function listReviews(
  deps: ListDeps & Pick<Deps, 'clock'>,
  { search, ...criteria }: ReviewCriteria & { search?: string | undefined },
): Promise<{ results: Review[]; count: number; isClosest: boolean }> {
  const { rows, ...found } = await listPage<ReviewRow, ReviewCriteria, Search>(
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
