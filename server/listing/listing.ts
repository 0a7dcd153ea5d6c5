import { offsetOf } from './page.ts';
import { browsePage } from './page-query.ts';
import type { Counted, Criteria, ListDeps, Resource, Search } from './resource.ts';
import { readAllMatches, searchPage } from './search-query.ts';

/** One page of a list, the number of rows on all pages, and whether they are only the closest. */
export async function list<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
  text?: string,
): Promise<{ rows: Row[]; count: number; isClosest: boolean }> {
  const search = text ? await understood(deps, resource, text) : undefined;
  if (search === null) return { rows: [], count: 0, isClosest: false };
  const { rows, count } = await (search
    ? searchList<Row, C, S>(deps, resource, criteria, search)
    : browseList<Row, C, S>(deps, resource, criteria));
  return { rows, count, isClosest: count > 0 && search?.isClosest === true };
}

interface Found<Row> {
  rows: Row[];
  count: number;
}

async function browseList<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
): Promise<Found<Row>> {
  const counting = resource.count(deps, criteria);
  const reading = resource.countsFirst
    ? counting.then((counted) =>
        isBeyond(counted) ? [] : browsePage<Row, C, S>(deps.db, resource, counted),
      )
    : browsePage<Row, C, S>(deps.db, resource, { criteria });
  const [{ count }, rows] = await Promise.all([counting, reading]);
  return { rows, count };
}

async function searchList<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
  search: S,
): Promise<Found<Row>> {
  let page: Row[] | undefined;
  const counted = await resource.count(deps, criteria, search, async (narrowed) => {
    const { rows, count } = await readAllMatches<Row, C, S>(deps.db, resource, narrowed, search);
    page = rows;
    return count;
  });
  if (isBeyond(counted)) return { rows: [], count: counted.count };
  page ??= await searchPage<Row, C, S>(deps.db, resource, counted, search);
  return { rows: page, count: counted.count };
}

const isBeyond = <C extends Criteria>({ criteria, count }: Counted<C>) =>
  offsetOf(criteria) >= count;

/** How the resource understands a search text. Null if the text has no words. */
export const understood = <C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  text: string,
): Promise<S | null> =>
  kept(deps, resource, `search/${text}`, () => resource.understand(deps.db, text));

/** Caches a value until a row of the resource changes. */
export const kept = <T>(
  { cache }: Pick<ListDeps, 'cache'>,
  { name }: Pick<Resource<never, never>, 'name'>,
  key: string,
  compute: () => Promise<T>,
): Promise<T> => cache.remember([name], `${name}/${key}`, compute);

/** A cache key of the criteria that a count depends on. */
export function filterKey({
  page: _,
  page_size: __,
  ordering: ___,
  ...filters
}: Partial<Criteria>): string {
  return JSON.stringify(filters);
}
