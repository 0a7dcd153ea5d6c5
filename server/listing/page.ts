import { type SelectQueryBuilder, sql } from 'kysely';
import type { Page } from '#contract/paging.ts';
import type { Db } from '#server/db/open.ts';

/** The number of rows before a page. */
export const offsetOf = ({ page, page_size }: { page: number; page_size: number }) =>
  (page - 1) * page_size;

/** One page of an ordered query, and the number of rows on all pages. */
export async function selectPage<Tables, From extends keyof Tables, Row>(
  db: Db,
  query: SelectQueryBuilder<Tables, From, Row>,
  page: { page: number; page_size: number },
) {
  const all = query.clearOrderBy();
  const counting = sql<{ count: number }>`select count(*) from (${all}) as found`.execute(db);
  const [rows, counted] = await Promise.all([
    query.limit(page.page_size).offset(offsetOf(page)).execute(),
    counting,
  ]);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

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
