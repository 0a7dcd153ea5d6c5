import { type RawBuilder, sql } from 'kysely';
import { UNNAMED } from '#server/db/statements.ts';
import type { Criteria, List, ListDeps, Search } from './list.ts';
import { understood } from './list-page.ts';

/** Searches per statement. */
const AT_ONCE = 50;

/**
 * The rows that each search selects, of all of them together. `select` gets the place of a search
 * among all; searches without words select nothing.
 */
export async function selectBySearches<Row, C extends Criteria, S extends Search>(
  deps: ListDeps,
  list: List<C, S>,
  searches: readonly { text?: string | undefined; criteria: C }[],
  select: (place: number, criteria: C, search?: S) => RawBuilder<unknown>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let first = 0; first < searches.length; first += AT_ONCE) {
    const selects = [];
    for (const [at, { text, criteria }] of searches.slice(first, first + AT_ONCE).entries()) {
      const search = text ? await understood(deps, list, text) : undefined;
      if (search !== null) selects.push(select(first + at, criteria, search));
    }
    if (selects.length === 0) continue;
    const { rows } = await sql<Row>`
      ${sql.join(selects, sql` union all `)} ${UNNAMED}`.execute(deps.db);
    found.push(...rows);
  }
  return found;
}
