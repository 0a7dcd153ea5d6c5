import type { Page } from '#contract/paging.ts';

/** The number of rows before a page. */
export const offsetOf = ({ page, page_size }: { page: number; page_size: number }) =>
  (page - 1) * page_size;

/** The response for a page, with the paths of its neighbors. `url` is the request's. */
export function toPage<T>(
  url: string,
  { page, page_size }: { page: number; page_size: number },
  count: number,
  results: T[],
): Page<T> {
  return {
    count,
    next: page * page_size < count ? withPage(url, page + 1) : null,
    previous: page > 1 ? withPage(url, page - 1) : null,
    results,
  };
}

/** The same for a list that can be searched. */
export const toSearchedPage = <T>(
  url: string,
  query: { page: number; page_size: number },
  { count, results, isClosest }: { count: number; results: T[]; isClosest: boolean },
): Page<T> => ({
  ...toPage(url, query, count, results),
  ...(isClosest && { is_closest: true }),
});

function withPage(url: string, page: number): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.set('page', String(page));
  return `${pathname}?${searchParams}`;
}
