import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewFilterOptions } from '#contract/review-queries.ts';
import { api } from '#web/lib/session.ts';
import { createStore } from '#web/lib/store.ts';
import { ApiError } from '#web/lib/transport-error.ts';

const NO_OPTIONS: ReviewFilterOptions = {
  position_titles: [],
  specialties: [],
  states: [],
  cities: [],
  rating_options: [],
  recommendation_options: [],
  employment_status_options: [],
  total_reviews: 0,
};

const fetchOptions = () => api.call(reviewEndpoints.filterOptions);

/** The options of the filters. Null until they are loaded. */
export function createFilterOptions(fetch = fetchOptions) {
  const store = createStore<ReviewFilterOptions | null>(null);
  let lastCount: number | null = null;

  async function load(): Promise<void> {
    try {
      store.set(await fetch());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      store.set(store.get() ?? NO_OPTIONS);
    }
  }

  return {
    ...store,
    load,
    /** If there are more reviews than before, there may be new options. */
    noteCount(count: number): void {
      if (lastCount !== null && count > lastCount) void load();
      lastCount = count;
    },
  };
}
