import type { Employer } from '#contract/employers.ts';
import { SUGGESTED_EMPLOYERS } from '#contract/limits.ts';
import { type EmployerRow, toEmployer } from '#server/features/employers/employer-row.ts';
import { list, understood } from '#server/listing/listing.ts';
import type { ListDeps } from '#server/listing/resource.ts';
import { type EmployerCriteria, FIRST_MATCHES } from './directory-query.ts';
import type { SearchQuery } from './search.ts';

/** The first matches of a search. */
const page = async (deps: ListDeps, search: string): Promise<Employer[]> => {
  const criteria = { page: 1, page_size: SUGGESTED_EMPLOYERS };
  const { rows } = await list<EmployerRow, EmployerCriteria, SearchQuery>(
    deps,
    FIRST_MATCHES,
    criteria,
    search,
  );
  return rows.map(toEmployer);
};

/** The first employers that match. Not those that are only similar. */
export async function selectSuggested(deps: ListDeps, search: string): Promise<Employer[]> {
  const meant = await understood(deps, FIRST_MATCHES, search);
  return meant?.isClosest === false ? page(deps, search) : [];
}

/** The closest employers if none matches exactly, best match first. */
export const selectClosest = page;
