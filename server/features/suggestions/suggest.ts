import type { Suggestions } from '#contract/suggestions.ts';
import type { Deps } from '#server/deps.ts';
import { suggestEmployers } from '#server/features/employers/service.ts';
import {
  suggestReviews,
  suggestSpecialties,
  suggestTitles,
} from '#server/features/reviews/service.ts';
import { excerptOf } from './excerpt.ts';

/** The first matches of each kind. Similar ones only if nothing of any kind matches exactly. */
export async function suggest(
  deps: Pick<Deps, 'db' | 'cache'>,
  search: string,
): Promise<Suggestions> {
  const [employers, titles, reviews, specialties] = await Promise.all([
    suggestEmployers(deps, search),
    suggestTitles(deps.db, search),
    suggestReviews(deps, search),
    suggestSpecialties(deps.db, search),
  ]);
  const found = [employers, titles, reviews];
  const isExact =
    specialties.length > 0 ||
    found.some(({ results, isClosest }) => results.length > 0 && !isClosest);
  const shown = <T>({ results, isClosest }: { results: readonly T[]; isClosest: boolean }) =>
    isExact && isClosest ? [] : results;
  return {
    is_closest: !isExact && found.some(({ results }) => results.length > 0),
    employers: shown(employers).map(({ id, name, city, state, overall_rating, total_reviews }) => ({
      id,
      name,
      city,
      state,
      overall_rating,
      total_reviews,
    })),
    specialties,
    position_titles: [...shown(titles)],
    reviews: shown(reviews).map((review) => ({
      id: review.id,
      employer_name: review.employer_name,
      position_title: review.position_title,
      overall_rating: review.overall_rating,
      excerpt: excerptOf([review.review_text, review.pros, review.cons], search),
    })),
  };
}
