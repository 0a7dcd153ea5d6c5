import {
  REVIEWS_FETCH_DEBOUNCE_MS,
  REVIEWS_SKELETON_AFTER_MS,
  REVIEWS_URL_SYNC_MS,
} from '#contract/limits.ts';
import type { Page } from '#contract/paging.ts';
import type { Review, ReviewFilterOptions } from '#contract/reviews.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { type Filters, isSame, tidy } from './filters.ts';

/** What a list begins with: read from the address, and on the server the page as well. */
export interface ListStart {
  filters: Filters;
  page: number;
  /** Null where it is still to be fetched. */
  first: Page<Review> | null;
  failure: string | null;
  /** `refreshFilters=true`: the filter options are to be loaded anew. */
  refreshesOptions: boolean;
}

export interface ListState {
  /** As they stand in the form. */
  filters: Filters;
  reviews: readonly Review[];
  /** How many meet the filters; null until it is known. */
  count: number | null;
  hasMore: boolean;
  /** The first and the last page shown, counting from 1. */
  firstPage: number;
  lastPage: number;
  /** Other reviews are on their way, in place of these. */
  isLoading: boolean;
  /** They have been so for longer than one takes for immediate. */
  isSlow: boolean;
  failure: string | null;
  isLoadingMore: boolean;
  moreFailure: string | null;
  /** What the filters can be set to; null until it is known. */
  options: ReviewFilterOptions | null;
}

export type Get = <T>(path: string, options?: { signal?: AbortSignal }) => Promise<T>;

export type ReviewList = ReturnType<typeof createReviewList>;

const NO_OPTIONS: ReviewFilterOptions = {
  position_titles: [],
  states: [],
  cities: [],
  rating_options: [],
  recommendation_options: [],
  employment_status_options: [],
  total_reviews: 0,
};

/** States and transitions of the specification, section 4, "Reviews list". */
export function createReviewList(start: ListStart, get: Get) {
  const listeners = new Set<() => void>();
  let state: ListState = {
    filters: start.filters,
    reviews: start.first?.results ?? [],
    count: start.first?.count ?? null,
    hasMore: (start.first?.next ?? null) !== null,
    firstPage: start.page,
    lastPage: start.page,
    isLoading: start.first === null && start.failure === null,
    isSlow: false,
    failure: start.failure,
    isLoadingMore: false,
    moreFailure: null,
    options: null,
  };
  let { refreshesOptions } = start;
  /** The reviews shown are not those that the filters ask for. */
  let isBehind = state.isLoading;
  let running = new AbortController();
  let syncAddress: ((filters: Filters) => void) | null = null;
  let addressTimer: ReturnType<typeof setTimeout> | undefined;
  let fetchTimer: ReturnType<typeof setTimeout> | undefined;

  function set(change: Partial<ListState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  const fetchPage = (number: number, signal: AbortSignal) =>
    get<Page<Review>>(apiPaths.reviews({ ...tidy(state.filters), page: number }), { signal });

  async function loadFirst(): Promise<void> {
    clearTimeout(fetchTimer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    set({ isLoading: true, isSlow: false, failure: null, isLoadingMore: false, moreFailure: null });
    const slowTimer = setTimeout(() => set({ isSlow: true }), REVIEWS_SKELETON_AFTER_MS);
    try {
      const { results, count, next } = await fetchPage(state.firstPage, signal);
      tellCount(count);
      set({ reviews: results, hasMore: next !== null });
    } catch (error) {
      if (signal.aborted) return;
      set({ reviews: [], hasMore: false, failure: listFailure(error) });
    } finally {
      clearTimeout(slowTimer);
      if (!signal.aborted) {
        isBehind = false;
        set({ isLoading: false });
      }
    }
  }

  /** Appends the next page; returns the id of the first review that it brought. */
  async function loadMore(): Promise<string | null> {
    if (state.isLoadingMore || isBehind) return null;
    const { signal } = running;
    set({ isLoadingMore: true, moreFailure: null });
    try {
      const { results, count, next } = await fetchPage(state.lastPage + 1, signal);
      tellCount(count);
      // One that was written meanwhile has moved the others down.
      const known = new Set(state.reviews.map(({ id }) => id));
      const added = results.filter(({ id }) => !known.has(id));
      set({
        reviews: [...state.reviews, ...added],
        hasMore: next !== null,
        lastPage: state.lastPage + 1,
        isLoadingMore: false,
      });
      return added[0]?.id ?? null;
    } catch (error) {
      if (signal.aborted) return null;
      set({ moreFailure: listFailure(error), isLoadingMore: false });
      return null;
    }
  }

  /** More reviews may have brought more to choose from. */
  function tellCount(count: number): void {
    if (state.count !== null && count > state.count) void loadOptions();
    set({ count });
  }

  async function loadOptions(): Promise<void> {
    try {
      set({ options: await get<ReviewFilterOptions>(apiPaths.reviewFilterOptions()) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      set({ options: state.options ?? NO_OPTIONS });
    }
  }

  function scheduleAddress(): void {
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      refreshesOptions = false;
      syncAddress?.(tidy(state.filters));
    }, REVIEWS_URL_SYNC_MS);
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    get: () => state,

    /** On the screen: begins whatever is due. Returns what to do when it leaves the screen. */
    show(sync: (filters: Filters) => void): () => void {
      syncAddress = sync;
      if (isBehind) void loadFirst();
      if (state.options === null || refreshesOptions) void loadOptions();
      if (refreshesOptions) scheduleAddress();
      return () => {
        syncAddress = null;
        clearTimeout(addressTimer);
        clearTimeout(fetchTimer);
        running.abort();
        running = new AbortController();
        set({ isLoadingMore: false });
      };
    },

    /** The form has changed; the address follows, and then the reviews. */
    change(filters: Filters): void {
      const isTheSame = isSame(filters, state.filters);
      set({ filters });
      if (isTheSame) return;
      running.abort();
      running = new AbortController();
      isBehind = true;
      set({ firstPage: 1, lastPage: 1, isLoadingMore: false, moreFailure: null });
      scheduleAddress();
      clearTimeout(fetchTimer);
      fetchTimer = setTimeout(() => void loadFirst(), REVIEWS_FETCH_DEBOUNCE_MS);
    },

    /** The form was sent: there is nothing to wait for. */
    submit(): void {
      if (isBehind) void loadFirst();
    },

    /** The reviews that were opened ('Read more'), for whoever comes back to this list. */
    opened: new Set<string>(),

    retry: loadFirst,
    loadMore,
  };
}

/** Specification, section 8: 'Failed to load reviews: {detail, message or Unknown error}'. */
export function listFailure(error: unknown): string {
  const body = error instanceof ApiError ? error.response?.body : error;
  const reason = textMember(body, 'detail') ?? textMember(error, 'message') ?? 'Unknown error';
  return `Failed to load reviews: ${reason}`;
}
