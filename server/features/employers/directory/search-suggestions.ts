import type { Employer } from '#contract/employers/employers.ts';
import { SUGGESTED_EMPLOYERS, SUGGESTED_PLACES } from '#contract/limits.ts';
import type { Suggestions } from '#contract/reviews/suggestions.ts';
import { type EmployerRow, toEmployer } from '#server/features/employers/employer-row.ts';
import type { ListDeps } from '#server/listing/list.ts';
import { listPage, understood } from '#server/listing/list-page.ts';
import { EMPLOYERS, type EmployerCriteria } from './directory-query.ts';
import type { SearchQuery } from './search.ts';
import { isOfPlace } from './search-place.ts';

/** The first matches of a search. */
const page = async (deps: ListDeps, search: string): Promise<Employer[]> => {
  const criteria = { page: 1, page_size: SUGGESTED_EMPLOYERS };
  const { rows } = await listPage<EmployerRow, EmployerCriteria, SearchQuery>(
    deps,
    EMPLOYERS,
    criteria,
    search,
  );
  return rows.map(toEmployer);
};

/** The first employers that match, not those that are only similar, and the places meant. */
export async function selectSuggested(
  deps: ListDeps,
  search: string,
): Promise<{ employers: Employer[] } & Pick<Suggestions, 'places'>> {
  const meant = await understood(deps, EMPLOYERS, search);
  if (meant?.isClosest !== false) return { employers: [], places: [] };
  const { place } = meant;
  const places = place && isOfPlace(place) ? [place, ...place.namesakes] : [];
  return {
    employers: await page(deps, search),
    places: places
      .slice(0, SUGGESTED_PLACES)
      .map(({ spelling, state }) => ({ city: spelling, state })),
  };
}

/** The closest employers if none matches exactly, best match first. */
export const selectClosest = page;
