import { sql } from 'kysely';
import type { EmployerQuery } from '#contract/employers/employers.ts';
import type { ListDeps } from '#server/listing/list.ts';
import { conditionsOf } from '#server/listing/list-page.ts';
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
        and ${conditionsOf(EMPLOYERS, criteria, search)}`,
  );
  const found: number[][] = searches.map(() => []);
  for (const { place, id } of rows) found[place]?.push(id);
  return found;
}
