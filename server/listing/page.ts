import type { Page } from '#contract/paging.ts';

/** Where a page begins. */
export const offsetOf = ({ page, page_size }: { page: number; page_size: number }) =>
  (page - 1) * page_size;

/** A page as it goes out, with the paths of its neighbours. `url` is the request's own. */
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

function withPage(url: string, page: number): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.set('page', String(page));
  return `${pathname}?${searchParams}`;
}
