import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { createReviewList, type Get, type ListStart, listFailure } from './review-list.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const review = (id: string) => ({ id }) as Review;

const pageOf = (ids: string[], count = ids.length, next: string | null = null): Page<Review> => ({
  count,
  next,
  previous: null,
  results: ids.map(review),
});

/** An API whose answers are given by hand, in any order. */
function fakeApi() {
  const calls: { path: string; answer: (value: unknown) => void; fail: (error: Error) => void }[] =
    [];
  const get: Get = (path, options) =>
    new Promise((resolve, reject) => {
      calls.push({ path, answer: resolve as (value: unknown) => void, fail: reject });
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    });
  const of = (path: string) => calls.filter((call) => call.path.startsWith(path));
  return {
    get,
    lists: () => of('/reviews/?'),
    options: () => of('/reviews/filter_options/'),
    settle: () => vi.advanceTimersByTimeAsync(0),
  };
}

function begin(start: Partial<ListStart> = {}) {
  const api = fakeApi();
  const list = createReviewList(
    {
      filters: {},
      page: 1,
      first: pageOf(['a', 'b'], 3, '/next'),
      failure: null,
      refreshesOptions: false,
      ...start,
    },
    api.get,
  );
  const sync = vi.fn();
  return {
    api,
    list,
    sync,
    hide: list.show(sync),
    ids: () => list.get().reviews.map(({ id }) => id),
  };
}

describe('a change of the form', () => {
  test('is in the address after 100 ms and asked for after 300 ms', async () => {
    const { api, list, sync, ids } = begin();
    list.change({ state: 'NY' });
    await vi.advanceTimersByTimeAsync(99);
    expect(sync).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(sync).toHaveBeenCalledWith({ state: 'NY' });
    await vi.advanceTimersByTimeAsync(199);
    expect(api.lists()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(api.lists()[0]?.path).toBe('/reviews/?state=NY&page=1');
    expect(ids()).toEqual(['a', 'b']);
    api.lists()[0]?.answer(pageOf(['c']));
    await api.settle();
    expect(ids()).toEqual(['c']);
    expect(list.get()).toMatchObject({ count: 1, hasMore: false, isLoading: false });
  });

  test('waits for the typing to pause, and for no answer to an earlier one', async () => {
    const { api, list, ids } = begin();
    list.change({ search: 'i' });
    await vi.advanceTimersByTimeAsync(300);
    list.change({ search: 'ic' });
    await vi.advanceTimersByTimeAsync(299);
    list.change({ search: 'icu' });
    await vi.advanceTimersByTimeAsync(300);
    expect(api.lists().map(({ path }) => path)).toEqual([
      '/reviews/?search=i&page=1',
      '/reviews/?search=icu&page=1',
    ]);
    api.lists()[1]?.answer(pageOf(['new']));
    api.lists()[0]?.answer(pageOf(['old']));
    await api.settle();
    expect(ids()).toEqual(['new']);
  });

  test('that changes nothing asks for nothing, but stands in the form', async () => {
    const { api, list, sync } = begin({ filters: { search: 'icu' } });
    list.change({ search: 'icu ' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(list.get().filters.search).toBe('icu ');
    expect(sync).not.toHaveBeenCalled();
    expect(api.lists()).toHaveLength(0);
  });

  test('is asked for at once when the form is sent', async () => {
    const { api, list } = begin();
    list.change({ search: 'icu' });
    list.submit();
    expect(api.lists()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(api.lists()).toHaveLength(1);
  });
});

describe('the first load', () => {
  test('is slow after 150 ms', async () => {
    const { api, list } = begin({ first: null });
    expect(api.lists()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(149);
    expect(list.get()).toMatchObject({ isLoading: true, isSlow: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(list.get().isSlow).toBe(true);
  });

  test('that is quick never is', async () => {
    const { api, list } = begin({ first: null });
    api.lists()[0]?.answer(pageOf(['a']));
    await vi.advanceTimersByTimeAsync(1000);
    expect(list.get()).toMatchObject({ isLoading: false, isSlow: false });
  });

  test('tells why it failed, and can be tried again', async () => {
    const { api, list, ids } = begin({ first: null });
    api.lists()[0]?.fail(new ApiError(null));
    await api.settle();
    expect(list.get().failure).toBe(
      'Failed to load reviews: Network error. Please check your internet connection.',
    );
    void list.retry();
    expect(list.get().failure).toBeNull();
    api.lists()[1]?.answer(pageOf(['a']));
    await api.settle();
    expect(ids()).toEqual(['a']);
  });

  test('is taken up again when the list is left before it ends', async () => {
    const { api, list, hide, sync } = begin({ first: null });
    hide();
    await api.settle();
    list.show(sync);
    expect(api.lists()).toHaveLength(2);
  });
});

describe('load more', () => {
  test('appends the next page, what is there already left out', async () => {
    const { api, list, ids } = begin();
    const more = list.loadMore();
    void list.loadMore();
    expect(api.lists().map(({ path }) => path)).toEqual(['/reviews/?page=2']);
    api.lists()[0]?.answer(pageOf(['b', 'c'], 3));
    expect(await more).toBe('c');
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(list.get()).toMatchObject({ hasMore: false, lastPage: 2, isLoadingMore: false });
  });

  test('that fails leaves the list, and asks for the same page again', async () => {
    const { api, list, ids } = begin();
    void list.loadMore();
    api.lists()[0]?.fail(new ApiError(null));
    await api.settle();
    expect(list.get()).toMatchObject({ hasMore: true, isLoadingMore: false });
    expect(list.get().moreFailure).toContain('Failed to load reviews: Network error.');
    expect(ids()).toEqual(['a', 'b']);
    void list.loadMore();
    expect(api.lists()[1]?.path).toBe('/reviews/?page=2');
  });

  test('does not reach into other filters', async () => {
    const { api, list, ids } = begin();
    void list.loadMore();
    list.change({ state: 'NY' });
    await vi.advanceTimersByTimeAsync(300);
    api.lists()[0]?.answer(pageOf(['old']));
    api.lists()[1]?.answer(pageOf(['new']));
    await api.settle();
    expect(ids()).toEqual(['new']);
  });
});

describe('the filter options', () => {
  test('are loaded once, and again when the count rises', async () => {
    const { api, list } = begin();
    expect(api.options()).toHaveLength(1);
    list.change({ state: 'NY' });
    list.submit();
    api.lists()[0]?.answer(pageOf(['a'], 1));
    await api.settle();
    expect(api.options()).toHaveLength(1);
    list.change({});
    list.submit();
    api.lists()[1]?.answer(pageOf(['a', 'b', 'c', 'd'], 4));
    await api.settle();
    expect(api.options()).toHaveLength(2);
  });

  test('are loaded anew when the address says so, which then says so no more', async () => {
    const { api, list, hide, sync } = begin();
    hide();
    expect(list.get().options).toBeNull();
    const again = begin({ refreshesOptions: true, filters: { state: 'NY' } });
    expect(again.api.options()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(again.sync).toHaveBeenCalledWith({ state: 'NY' });
    expect(sync).not.toHaveBeenCalled();
    expect(api.lists()).toHaveLength(0);
  });

  test('are none where they cannot be had', async () => {
    const { api, list } = begin();
    api.options()[0]?.fail(new ApiError(null));
    await api.settle();
    expect(list.get().options?.cities).toEqual([]);
  });
});

test('a failure is told by its detail, its message, or not at all', () => {
  const refusal = (body: unknown) => new ApiError({ status: 418, retryAfter: null, body });
  expect(listFailure(refusal({ detail: 'D', message: 'M' }))).toBe('Failed to load reviews: D');
  expect(listFailure(refusal({ message: 'M' }))).toBe('Failed to load reviews: M');
  expect(listFailure(new Error('E'))).toBe('Failed to load reviews: E');
  expect(listFailure(null)).toBe('Failed to load reviews: Unknown error');
});
