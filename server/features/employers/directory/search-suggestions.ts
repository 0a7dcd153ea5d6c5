import { sql } from 'kysely';
import type { Employer } from '#contract/employers.ts';
import { SUGGESTED_EMPLOYERS } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import {
  EMPLOYER_COLUMNS,
  type EmployerRow,
  employersWithRatings,
  toEmployer,
} from '#server/features/employers/employer-row.ts';
import { list, understood } from '#server/listing/listing.ts';
import type { ListDeps } from '#server/listing/resource.ts';
import { BEST_ESTABLISHED_FIRST, type EmployerCriteria, FIRST_MATCHES } from './directory-query.ts';
import type { SearchQuery } from './search.ts';

/** The first matches of a search. */
const page = async (deps: ListDeps, search: string, ordering?: '-established') => {
  const criteria = { page: 1, page_size: SUGGESTED_EMPLOYERS, ordering };
  const { rows } = await list<EmployerRow, EmployerCriteria, SearchQuery>(
    deps,
    FIRST_MATCHES,
    criteria,
    search,
  );
  return rows;
};

/**
 * The employers with exactly this name, then others that match, each in the order "Best
 * established". Not those that are only similar.
 */
export async function selectSuggested(deps: ListDeps, search: string): Promise<Employer[]> {
  const understand = async () => (await understood(deps, FIRST_MATCHES, search))?.isClosest;
  const [named, isClosest] = await Promise.all([selectNamed(deps.db, search), understand()]);
  const namesakes = new Set(named.map(({ id }) => id));
  const found = isClosest === false ? await page(deps, search, '-established') : [];
  const others = found.filter(({ id }) => !namesakes.has(id));
  return [...named, ...others].slice(0, SUGGESTED_EMPLOYERS).map(toEmployer);
}

/** The closest employers if none matches exactly, best match first. */
export const selectClosest = async (deps: ListDeps, search: string): Promise<Employer[]> =>
  (await page(deps, search)).map(toEmployer);

const selectNamed = (db: Db, name: string): Promise<EmployerRow[]> =>
  employersWithRatings(db)
    .select(EMPLOYER_COLUMNS)
    // employers_name_key
    .where('name_key', '=', sql<string>`public.name_key(${name})`)
    .where('merged_into', 'is', null)
    .orderBy(sql`${BEST_ESTABLISHED_FIRST.by}`)
    .limit(sql.lit(SUGGESTED_EMPLOYERS))
    .execute();
