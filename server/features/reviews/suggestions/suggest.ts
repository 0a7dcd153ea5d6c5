import type { Suggestions } from '#contract/suggestions.ts';
import type { Deps } from '#server/deps.ts';
import {
  selectClosest,
  selectSuggested,
} from '#server/features/employers/directory/search-suggestions.ts';
import {
  suggestReviews,
  suggestSpecialties,
  suggestTitles,
} from '#server/features/reviews/list/search-suggestions.ts';
import { excerptAround } from './excerpt.ts';

/** The first matches of each kind. Similar ones only if nothing of any kind matches exactly. */
export async function suggest(
  deps: Pick<Deps, 'db' | 'cache'>,
  search: string,
): Promise<Suggestions> {
  const [{ employers, places }, specialties, titles, reviews] = await Promise.all([
    selectSuggested(deps, search),
    suggestSpecialties(deps.db, search),
    suggestTitles(deps.db, search),
    suggestReviews(deps, search),
  ]);
  const isExact = employers.length + specialties.length > 0 || [titles, reviews].some(matchExactly);
  const shown = isExact ? employers : await selectClosest(deps, search);
  const found = shown.length + titles.results.length + reviews.results.length;
  return {
    is_closest: !isExact && found > 0,
    places,
    employers: shown.map(({ id, name, city, state, overall_rating, total_reviews }) => ({
      id,
      name,
      city,
      state,
      overall_rating,
      total_reviews,
    })),
    specialties,
    position_titles: isExact && titles.isClosest ? [] : titles.results,
    reviews: (isExact && reviews.isClosest ? [] : reviews.results).map((review) => ({
      id: review.id,
      employer_name: review.employer_name,
      position_title: review.position_title,
      overall_rating: review.overall_rating,
      excerpt: excerptAround(review, search),
    })),
  };
}

const matchExactly = ({ results, isClosest }: { results: unknown[]; isClosest: boolean }) =>
  results.length > 0 && !isClosest;
