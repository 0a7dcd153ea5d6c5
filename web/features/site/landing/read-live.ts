import type { RouterContextProvider } from 'react-router';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { titleCase } from '#contract/names.ts';
import { CATEGORIES } from '#contract/review-choices.ts';
import { formatLocation, plural } from '#web/lib/format.ts';
import { averageOf } from '#web/lib/legacy-ratings.ts';
import { paths } from '#web/lib/paths.ts';
import { askApi } from '#web/lib/render-context.ts';

/** With fewer reviews, the site does not show its numbers. */
const MIN_REVIEWS = 20;

/** What `LiveComparison` shows. Null if there are too few reviews, or the data failed to load. */
export async function readLive(context: Readonly<RouterContextProvider>) {
  const [list, options] = await Promise.all([
    askApi(context, employerEndpoints.list, {
      query: { ordering: '-total_reviews', page_size: 2 },
    }),
    askApi(context, reviewEndpoints.filterOptions),
  ]);
  if (!list.ok || !options.ok) return null;
  const [{ results, count }, { total_reviews }] = [await list.json(), await options.json()];
  if (total_reviews < MIN_REVIEWS || results.length < 2) return null;
  return {
    numbers: `${plural(total_reviews, 'review')}, ${plural(count, 'employer')}`,
    employers: results.map((employer) => ({
      name: titleCase(employer.name),
      about: [formatLocation(employer), plural(employer.total_reviews, 'review')]
        .filter(Boolean)
        .join(' · '),
      path: paths.employer(employer.id),
    })),
    rows: [
      { label: 'Overall', averages: results.map(({ overall_rating }) => overall_rating) },
      ...CATEGORIES.map(([category, label]) => ({
        label,
        averages: results.map((employer) => averageOf(employer, category)),
      })),
    ],
    path: paths.compare(results.map(({ id }) => id)),
  };
}
