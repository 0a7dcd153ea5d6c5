import { list, understood } from './listing.ts';
import type { Criteria, ListDeps, Resource, Search } from './resource.ts';
import { lookThrough } from './search-query.ts';

/**
 * The first matches of a search in an order. Most searches find enough of them among the first rows
 * of that order, so those are read before anything is counted.
 */
export async function firstMatches<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  resource: Resource<C, S>,
  criteria: C,
  text: string,
): Promise<{ rows: Row[]; isClosest: boolean }> {
  const search = await understood(deps, resource, text);
  if (search === null) return { rows: [], isClosest: false };
  const rows = await lookThrough<Row, C, S>(deps.db, resource, criteria, search);
  if (rows.length === criteria.page_size) return { rows, isClosest: search.isClosest };
  return list<Row, C, S>(deps, resource, criteria, text);
}
