import { expect, test, vi } from 'vitest';
import type { ReviewFilterOptions } from '#contract/review-queries.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { createFilterOptions } from './filter-options.ts';

test('are reloaded when the count rises', () => {
  const fetch = vi.fn(async () => ({}) as ReviewFilterOptions);
  const options = createFilterOptions(fetch);
  for (const count of [3, 1, 1]) options.noteCount(count);
  expect(fetch).not.toHaveBeenCalled();
  options.noteCount(4);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('are empty if they cannot be loaded, unless some were loaded before', async () => {
  const fetch = vi.fn(async (): Promise<ReviewFilterOptions> => {
    throw new ApiError(null);
  });
  const options = createFilterOptions(fetch);
  expect(options.get()).toBeNull();
  await options.load();
  expect(options.get()?.cities).toEqual([]);
  fetch.mockImplementation(async () => ({ cities: ['Bend'] }) as ReviewFilterOptions);
  await options.load();
  fetch.mockRejectedValue(new ApiError(null));
  await options.load();
  expect(options.get()?.cities).toEqual(['Bend']);
});
