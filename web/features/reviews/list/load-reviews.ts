import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEWS_FETCH_DEBOUNCE_MS } from '#contract/limits.ts';
import type { Review } from '#contract/reviews.ts';
import { api } from '#web/lib/session.ts';
import type { Criteria } from '#web/listing/criteria.ts';
import { createPacedRequest } from '#web/listing/paced-request.ts';
import type { Answer } from '#web/listing/pages.ts';

/** What the loaders of /reviews return. */
export interface ReviewList {
  criteria: Criteria;
  /** The first page shown. */
  page: number;
  answer: Answer<Review> | Promise<Answer<Review>>;
  /** `refreshFilters=true`: reload the filter options. */
  refreshesOptions: boolean;
  /** Reviews that were opened with 'Read more' before the list was left. */
  opened?: Set<string>;
}

export const fetchReviews = (criteria: Criteria, page: number, signal?: AbortSignal) =>
  api.call(reviewEndpoints.list, { query: { ...criteria, page }, signal });

export const reviewRequest = createPacedRequest(REVIEWS_FETCH_DEBOUNCE_MS);

export const askForReviews = (criteria: Criteria, page: number) =>
  reviewRequest.ask((signal) => fetchReviews(criteria, page, signal));
