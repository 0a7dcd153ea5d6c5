import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import type { OwnReview, Review, ReviewFilterOptions } from '#contract/reviews.ts';
import type { Author } from '#server/anonymity/author.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { offsetOf } from '#server/paging.ts';
import { leaveReviews } from './departed-authors.ts';
import {
  type EmployerPosition,
  lockReviews,
  moveReviews,
  selectPositions,
} from './employer-reviews.ts';
import type { Criteria, ReviewFilter } from './filter.ts';
import { handOverReviews } from './hand-over.ts';
import * as lists from './list-queries.ts';
import { holdForModerators } from './moderation/service.ts';
import * as queries from './queries.ts';
import { toOwnReview, toReview } from './review-row.ts';
import * as scheduled from './scheduled-queries.ts';
import { toOwnReviews } from './scheduled-row.ts';
import * as counts from './search-counts.ts';
import * as search from './search-queries.ts';
import type { Place } from './steps.ts';
import { atLeast, type Spread, stretchesOf, totalOf } from './stretches.ts';

type ListDeps = Pick<Deps, 'db' | 'cache' | 'clock'>;

/** One page of the published reviews, and how many there are in all. */
export async function listReviews(
  deps: ListDeps,
  { search: text, ...filter }: ReviewFilter,
): Promise<{ reviews: Review[]; count: number }> {
  const { rows, count } = await (text
    ? searchReviews(deps, filter, text)
    : browseReviews(deps, filter));
  const now = deps.clock();
  return { reviews: rows.map((row) => toReview(row, now)), count };
}

async function browseReviews(deps: ListDeps, criteria: Criteria) {
  const spread = await spreadOf(deps, criteria);
  const count = totalOf(spread);
  // Not looked for where there is nothing: the search would end with the last review.
  const stretches = offsetOf(criteria) < count ? stretchesOf(spread, criteria) : [];
  const rows = await lists.selectPage(deps.db, criteria, stretches);
  return { rows, count };
}

async function searchReviews(deps: ListDeps, filter: Criteria, text: string) {
  const { db, cache } = deps;
  const tsquery = await cache.remember(['reviews'], `reviews/understood/${text}`, () =>
    counts.understandSearch(db, text),
  );
  if (tsquery === null) return { rows: [], count: 0 };
  const { count, ...breadth } = await breadthOf(deps, filter, tsquery);
  const sought = { ...filter, tsquery, ...breadth };
  const offset = offsetOf(filter);
  if (offset >= count) return { rows: [], count };
  if (search.orderingOf(sought) === undefined || search.isNarrow(sought, filter.page_size)) {
    return { rows: await search.selectLookedUp(db, sought), count };
  }
  const key = `${search.orderingOf(sought)}/${tsquery}/${filterKey(filter)}`;
  // The last match before a page.
  const place = (number: number, find: () => Promise<Place | undefined>) =>
    cache.remember(['reviews', 'votes'], `reviews/place/${number}/${key}`, find);
  const after =
    offset === 0 ? undefined : await place(offset, () => search.selectPlace(db, sought, offset));
  if (offset > 0 && after === undefined) return { rows: [], count };
  const reading = search.selectReadDown(db, sought, after);
  // Who reads on asks for the page after this one. Remembered before it is read: a change that
  // comes in meanwhile makes it forgotten.
  const next = place(offset + filter.page_size, async () => (await reading).last);
  const [{ rows }] = await Promise.all([reading, next]);
  return { rows, count };
}

/** How many reviews a search finds, up to SEARCH_COUNT_MAX, and about how many there are. */
async function breadthOf(deps: ListDeps, filter: Criteria, tsquery: string) {
  const { db, cache } = deps;
  const key = `${tsquery}/${filterKey(filter)}`;
  const [{ about, isMost }, total] = await Promise.all([
    cache.remember(['reviews'], `reviews/sample/${key}`, () =>
      counts.sampleMatches(db, filter, tsquery),
    ),
    spreadOf(deps, filter).then(totalOf),
  ]);
  const count = isMost
    ? SEARCH_COUNT_MAX
    : await cache.remember(['reviews'], `reviews/matches/${key}`, () =>
        counts.countMatches(db, filter, tsquery),
      );
  return { count, found: count < SEARCH_COUNT_MAX ? count : Math.max(count, about), total };
}

/** How many of each rating meet the criteria: counted once, until a review changes. */
async function spreadOf({ db, cache }: ListDeps, criteria: Criteria): Promise<Spread> {
  const { min_rating, ...others } = criteria;
  const all = await cache.remember(['reviews'], `reviews/spread/${filterKey(others)}`, () =>
    lists.selectSpread(db, others),
  );
  return atLeast(all, min_rating);
}

/** What a count depends on. */
function filterKey({ page: _, page_size: __, ordering: ___, ...what }: Criteria): string {
  return JSON.stringify(what);
}

/** What the filters of the list can be set to, as of now. */
export async function reviewFilterOptions({
  db,
  cache,
}: Pick<Deps, 'db' | 'cache'>): Promise<ReviewFilterOptions> {
  const values = await cache.remember(['reviews'], 'reviews/filter-values', () =>
    lists.selectFilterValues(db),
  );
  return {
    ...values,
    rating_options: [...REVIEW_FILTER_CHOICES.min_rating],
    recommendation_options: [...REVIEW_FILTER_CHOICES.would_recommend],
    employment_status_options: [...REVIEW_FILTER_CHOICES.is_current_employee],
  };
}

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
