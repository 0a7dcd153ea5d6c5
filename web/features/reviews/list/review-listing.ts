import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEWS_FETCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { choiceLabel, REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { formatLocation } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { type Criteria, defineListing } from '#web/listing/criteria.ts';
import { createPacedRequest } from '#web/listing/paced-request.ts';
import type { Answer } from '#web/listing/pages.ts';
import { RATING_LABELS, RATING_RANGE } from '#web/listing/rating-range.ts';

export const cityLabel = (city: string) => formatLocation({ city, state: null });

/** docs/product/reviews.md, "Review filters". */
export const reviewListing = defineListing({
  path: paths.reviews,
  parameters: [
    'search',
    'position_title',
    'specialty',
    'state',
    'city',
    'min_rating',
    'max_rating',
    'would_recommend',
    'is_current_employee',
    'ordering',
  ],
  orders: REVIEW_ORDERINGS,
  multiple: ['city'],
  range: RATING_RANGE,
  labels: {
    position_title: titleCase,
    state: (state) => state.toUpperCase(),
    city: cityLabel,
    ...RATING_LABELS,
    would_recommend: choiceLabel('would_recommend'),
    is_current_employee: choiceLabel('is_current_employee'),
  },
});

/** What the loaders of /reviews return. */
export interface ReviewList {
  criteria: Criteria;
  /** The first page shown. */
  page: number;
  answer: Answer<Review> | Promise<Answer<Review>>;
  /** `refreshFilters=true`: reload the filter options. */
  refreshesOptions: boolean;
  /** Reviews that were expanded with 'Read more' before the user left the list. */
  opened?: Set<string>;
}

export const fetchReviews = (criteria: Criteria, page: number, signal?: AbortSignal) =>
  api.call(reviewEndpoints.list, { query: { ...criteria, page }, signal });

export const pacedRequest = createPacedRequest(REVIEWS_FETCH_DEBOUNCE_MS);

export const requestReviews = (criteria: Criteria, page: number) =>
  pacedRequest.ask((signal) => fetchReviews(criteria, page, signal));
