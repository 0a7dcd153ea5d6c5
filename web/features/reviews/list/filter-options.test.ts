import { expect, test, vi } from 'vitest';
import type { ReviewFilterOptions } from '#contract/reviews/review-queries.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { createFilterOptions } from './review-browser.tsx';

test('reloads the options when the count rises', () => {
  const fetch = vi.fn(async () => ({}) as ReviewFilterOptions);
  const options = createFilterOptions(fetch);
  for (const count of [3, 1, 1]) options.noteCount(count);
  expect(fetch).not.toHaveBeenCalled();
  options.noteCount(4);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('has no options if they fail to load, unless some were loaded before', async () => {
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
