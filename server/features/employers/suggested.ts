import { sql } from 'kysely';
import type { Employer } from '#contract/employers.ts';
import { SUGGESTED_EMPLOYERS } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { type ListDeps, list } from '#server/listing/listing.ts';
import { BEST_ESTABLISHED_FIRST, EMPLOYERS, type EmployerCriteria } from './directory-query.ts';
import {
  EMPLOYER_COLUMNS,
  type EmployerRow,
  employersWithRatings,
  toEmployer,
} from './employer-row.ts';
import type { SearchQuery } from './search.ts';

const FIRST_PAGE = { page: 1, page_size: SUGGESTED_EMPLOYERS };

/**
 * The employers with exactly this name, and then others that the search finds, each in the order
 * "Best established". If nothing matches exactly, the closest come first.
 */
export async function selectSuggested(
  deps: ListDeps,
  search: string,
): Promise<{ results: Employer[]; isClosest: boolean }> {
  const page = (ordering?: '-established') =>
    list<EmployerRow, EmployerCriteria, SearchQuery>(
      deps,
      EMPLOYERS,
      { ...FIRST_PAGE, ordering },
      search,
    );
  const [named, established] = await Promise.all([
    selectNamed(deps.db, search),
    page('-established'),
  ]);
  const { rows, isClosest } = established.isClosest ? await page() : established;
  const namesakes = new Set(named.map(({ id }) => id));
  const others = rows.filter(({ id }) => !namesakes.has(id));
  return {
    results: [...named, ...others].slice(0, SUGGESTED_EMPLOYERS).map(toEmployer),
    isClosest,
  };
}

const selectNamed = (db: Db, name: string): Promise<EmployerRow[]> =>
  employersWithRatings(db)
    .select(EMPLOYER_COLUMNS)
    // employers_name_key
    .where('name_key', '=', sql<string>`public.name_key(${name})`)
    .where('merged_into', 'is', null)
    .orderBy(sql`${BEST_ESTABLISHED_FIRST.by}`)
    .limit(sql.lit(SUGGESTED_EMPLOYERS))
    .execute();
