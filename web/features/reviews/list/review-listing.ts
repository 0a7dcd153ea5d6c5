import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEWS_FETCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Page } from '#contract/paging.ts';
import { choiceLabel, REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { formatLocation } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import {
  type Criteria,
  defineListing,
  RATING_LABELS,
  RATING_RANGE,
} from '#web/listing/criteria.ts';
import { type Answer, listFailure } from '#web/listing/pages.tsx';

/** Requests one list at a time, once its form has not changed for `ms`. */
export function createPacedRequest(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rest: { promise: Promise<void>; resolve: () => void } | null = null;
  let latest = new AbortController();

  function hurry(): void {
    clearTimeout(timer);
    rest?.resolve();
    rest = null;
  }

  return {
    /** Ends the wait, because the form was submitted. */
    hurry,

    /** Resolves when the next request starts: at once, unless the form has just changed. */
    started: async (): Promise<void> => rest?.promise,

    noteChange(): void {
      clearTimeout(timer);
      timer = setTimeout(hurry, ms);
      rest ??= newRest();
    },

    /** Aborts the previous request, whose promise then never settles. */
    async ask<T>(fetchPage: (signal: AbortSignal) => Promise<Page<T>>): Promise<Answer<T>> {
      latest.abort();
      latest = new AbortController();
      const { signal } = latest;
      try {
        await rest?.promise;
        signal.throwIfAborted();
        return { pages: [await fetchPage(signal)], failure: null };
      } catch (error) {
        if (signal.aborted) return new Promise(() => undefined);
        return { pages: [], failure: listFailure(error) };
      }
    },
  };
}

/** As `Promise.withResolvers`, which browsers before 2024 do not have. */
function newRest() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

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
  /** The server has refused the filters, so the page's title leaves them out. */
  isRefused?: boolean;
  /** Reviews that were expanded with 'Read more' before the user left the list. */
  opened?: Set<string>;
}

export const fetchReviews = (criteria: Criteria, page: number, signal?: AbortSignal) =>
  api.call(reviewEndpoints.list, { query: { ...criteria, page }, signal });

export const pacedRequest = createPacedRequest(REVIEWS_FETCH_DEBOUNCE_MS);

export const requestReviews = (criteria: Criteria, page: number) =>
  pacedRequest.ask((signal) => fetchReviews(criteria, page, signal));
