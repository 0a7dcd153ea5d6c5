import { sql } from 'kysely';
import type { EmployerQuery } from '#contract/employers.ts';
import { walk } from '#server/listing/conditions.ts';
import type { ListDeps } from '#server/listing/resource.ts';
import { selectBySearches } from '#server/listing/search-batches.ts';
import { EMPLOYERS, type EmployerCriteria } from './directory-query.ts';
import type { SearchQuery } from './search.ts';

/** Which of the given employers each directory search finds, in the order of the searches. */
export async function findAmong(
  deps: ListDeps,
  searches: readonly EmployerQuery[],
  ids: readonly number[],
): Promise<number[][]> {
  const rows = await selectBySearches<{ place: number; id: number }, EmployerCriteria, SearchQuery>(
    deps,
    EMPLOYERS,
    searches.map(({ search: text, ...criteria }) => ({ text, criteria })),
    (place, criteria, search) => sql`
      select ${place}::int as place, id from employers
      where id = any(${ids}::integer[])
        and ${sql.join(walk(EMPLOYERS, criteria, search), sql` and `)}`,
  );
  const found: number[][] = searches.map(() => []);
  for (const { place, id } of rows) found[place]?.push(id);
  return found;
}
