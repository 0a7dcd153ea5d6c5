import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from '#contract/paging.ts';
import { createPacedRequest } from '#web/features/reviews/list/review-listing.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { type Answer, createPages, listFailure } from './pages.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PAUSE_MS = 300;

type Item = { id: string };

const pageOf = (ids: string[], count = ids.length, next: string | null = null): Page<Item> => {
  return { count, next, previous: null, results: ids.map((id) => ({ id })) };
};

const answerOf = (...pages: Page<Item>[]): Answer<Item> => ({ pages, failure: null });

/** An API whose responses the test sends by hand, in any order. */
function fakeApi() {
  type Call = { name: string; answer: (page: Page<Item>) => void; fail: (error: Error) => void };
  const calls: Call[] = [];
  const get = (name: string, signal?: AbortSignal) =>
    new Promise<Page<Item>>((resolve, reject) => {
      calls.push({ name, answer: resolve, fail: reject });
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  return { calls, get, settle: () => vi.advanceTimersByTimeAsync(0) };
}

/** A list that shows 'a' and 'b' of three items, and the actions of its form and loader. */
function begin(first: Answer<Item> | null = answerOf(pageOf(['a', 'b'], 3, '/next'))) {
  const api = fakeApi();
  const request = createPacedRequest(PAUSE_MS);
  const ask = (name: string) => request.ask((signal) => api.get(name, signal));
  const loading = first ?? ask('first');
  const list = createPages<Item>(loading);
  list.follow(loading);
  return {
    ...api,
    list,
    request,
    /** Loads the list for a new URL. */
    load: (name: string) => list.follow(ask(name), request.started()),
    loadMore: () => list.loadMore((loaded) => api.get(`page ${1 + loaded}`)),
    names: () => api.calls.map(({ name }) => name),
    ids: () => list.get().items.map(({ id }) => id),
  };
}

describe('a change in the form', () => {
  test('is requested once the form has not changed for 300 ms', async () => {
    const { calls, list, request, load, names, ids, settle } = begin();
    request.noteChange();
    await vi.advanceTimersByTimeAsync(100);
    load('NY');
    await vi.advanceTimersByTimeAsync(199);
    expect(names()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(names()).toEqual(['NY']);
    expect(ids()).toEqual(['a', 'b']);
    calls[0]?.answer(pageOf(['c']));
    await settle();
    expect(ids()).toEqual(['c']);
    expect(list.get()).toMatchObject({ count: 1, hasMore: false, isLoading: false });
  });

  test('is slow 150 ms after the request, not after the change', async () => {
    const { list, request, load } = begin();
    request.noteChange();
    load('NY');
    await vi.advanceTimersByTimeAsync(PAUSE_MS + 149);
    expect(list.get()).toMatchObject({ isLoading: true, isSlow: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(list.get().isSlow).toBe(true);
  });

  test('waits for a pause in typing, but not for earlier responses', async () => {
    const { calls, request, load, names, ids, settle } = begin();
    request.noteChange();
    load('i');
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    request.noteChange();
    load('ic');
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    request.noteChange();
    await vi.advanceTimersByTimeAsync(1);
    load('icu');
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(names()).toEqual(['i', 'icu']);
    calls[1]?.answer(pageOf(['new']));
    calls[0]?.answer(pageOf(['old']));
    await settle();
    expect(ids()).toEqual(['new']);
  });

  test('is requested right away when the form is submitted', async () => {
    const { request, load, names, settle } = begin();
    request.noteChange();
    load('icu');
    await settle();
    expect(names()).toEqual([]);
    request.hurry();
    await settle();
    expect(names()).toEqual(['icu']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(names()).toEqual(['icu']);
  });
});

describe('the first load', () => {
  test('is slow after 150 ms', async () => {
    const { list, names, settle } = begin(null);
    await settle();
    expect(names()).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(149);
    expect(list.get()).toMatchObject({ isLoading: true, isSlow: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(list.get().isSlow).toBe(true);
  });

  test('is never slow if it was quick', async () => {
    const { calls, list, settle } = begin(null);
    await settle();
    calls[0]?.answer(pageOf(['a']));
    await vi.advanceTimersByTimeAsync(1000);
    expect(list.get()).toMatchObject({ isLoading: false, isSlow: false });
  });

  test('says why it failed, and can be retried', async () => {
    const { calls, list, load, ids, settle } = begin(null);
    await settle();
    calls[0]?.fail(new ApiError(null));
    await settle();
    const reason = 'Network error. Please check your internet connection.';
    expect(list.get().failure).toBe(`Failed to load reviews: ${reason}`);
    load('again');
    expect(list.get().failure).toBeNull();
    await settle();
    calls[1]?.answer(pageOf(['a']));
    await settle();
    expect(ids()).toEqual(['a']);
  });

  test('has no result if it is superseded', async () => {
    const { list, load, names, settle } = begin(null);
    await settle();
    load('second');
    await settle();
    expect(names()).toEqual(['first', 'second']);
    expect(list.get()).toMatchObject({ isLoading: true, failure: null });
  });
});

describe('load more', () => {
  test('appends the next page without duplicates', async () => {
    const { calls, list, loadMore, names, ids } = begin();
    const more = loadMore();
    void loadMore();
    expect(names()).toEqual(['page 2']);
    calls[0]?.answer(pageOf(['b', 'c'], 3));
    expect(await more).toBe('c');
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(list.get()).toMatchObject({ hasMore: false, isLoadingMore: false });
  });

  test('keeps the list after an error, and retries the same page', async () => {
    const { calls, list, loadMore, names, ids, settle } = begin();
    void loadMore();
    calls[0]?.fail(new ApiError(null));
    await settle();
    expect(list.get()).toMatchObject({ hasMore: true, isLoadingMore: false });
    expect(list.get().moreFailure).toContain('Failed to load reviews: Network error.');
    expect(ids()).toEqual(['a', 'b']);
    void loadMore();
    expect(names()).toEqual(['page 2', 'page 2']);
  });

  test('does not affect other filters', async () => {
    const { calls, load, loadMore, ids, settle } = begin();
    void loadMore();
    load('NY');
    await settle();
    calls[0]?.answer(pageOf(['old']));
    calls[1]?.answer(pageOf(['new']));
    await settle();
    expect(ids()).toEqual(['new']);
  });
});

test('a list shows all its pages at once when the user returns to it', () => {
  const { list, ids } = begin();
  list.follow(answerOf(pageOf(['x', 'y'], 4, '/next'), pageOf(['y', 'z'], 4)));
  expect(ids()).toEqual(['x', 'y', 'z']);
  expect(list.get()).toMatchObject({ count: 4, hasMore: false, isLoading: false });
});

test('shows the detail of an error, its message, or that it is unknown', () => {
  const refusal = (body: unknown) => new ApiError({ status: 418, retryAfter: null, body });
  expect(listFailure(refusal({ detail: 'D', message: 'M' }))).toBe('Failed to load reviews: D');
  expect(listFailure(refusal({ message: 'M' }))).toBe('Failed to load reviews: M');
  expect(listFailure(new Error('E'))).toBe('Failed to load reviews: E');
  expect(listFailure(null)).toBe('Failed to load reviews: Unknown error');
});
