import type { ReactNode } from 'react';
import { titleCase } from '#contract/names.ts';
import type { Suggestions } from '#contract/reviews/suggestions.ts';
import { formatAverage, formatLocation, plural } from '#web/lib/format.ts';
import { rememberSpecialty } from '#web/lib/my-specialty.ts';
import { paths } from '#web/lib/paths.ts';
import type { ComboboxOption } from '#web/ui/combobox.tsx';

/** The URLs of suggestions that filter or search a list. */
export interface SuggestionPaths {
  employers: (search: string) => string;
  specialty: (specialty: string) => string;
  position: (title: string) => string;
  reviews: (search: string) => string;
}

/**
 * The suggestions as options: first the directory's search for what is typed, then employers,
 * specialties, positions, and reviews.
 */
export function suggestedOptions(
  { places, employers, specialties, position_titles, reviews }: Suggestions,
  text: string,
  to: SuggestionPaths,
  open: (path: string) => void,
): ComboboxOption[] {
  const option = (
    group: string,
    path: string,
    label: ReactNode,
    note = () => {},
  ): ComboboxOption => ({
    key: path,
    group,
    label,
    onChoose: () => {
      note();
      open(path);
    },
  });
  const search = text.trim();
  const [meant, ...namesakes] = places.map(formatLocation);
  return [
    {
      key: 'search',
      label: (
        <span className="font-semibold">
          {meant ? `All in ${meant}` : `Search employers for “${search}”`}
        </span>
      ),
      onChoose: () => open(to.employers(search)),
    },
    ...namesakes.map((place) => ({
      key: place,
      label: `All in ${place}`,
      onChoose: () => open(to.employers(place)),
    })),
    ...employers.map((employer) =>
      option(
        'Employers',
        paths.employer(employer.id),
        <Lines
          first={titleCase(employer.name)}
          second={formatLocation(employer)}
          aside={ratingOf(employer)}
        />,
      ),
    ),
    ...specialties.map(({ specialty, count }) =>
      option(
        'Specialties',
        to.specialty(specialty),
        <Lines first={specialty} aside={plural(count, 'review')} />,
        () => rememberSpecialty(specialty),
      ),
    ),
    ...position_titles.map(({ title, count }) =>
      option(
        'Positions',
        to.position(title),
        <Lines first={titleCase(title)} aside={plural(count, 'review')} />,
      ),
    ),
    ...(reviews.length > 0
      ? [option('Reviews', to.reviews(search), `All reviews that match “${search}”`)]
      : []),
    ...reviews.map((review) =>
      option(
        'Reviews',
        paths.review(review.id),
        <Lines
          first={`${titleCase(review.position_title)}, ${titleCase(review.employer_name)}`}
          second={review.excerpt}
          aside={<Rating value={String(review.overall_rating)} />}
        />,
      ),
    ),
  ];
}

function ratingOf({ overall_rating, total_reviews }: Suggestions['employers'][number]) {
  if (total_reviews === 0) return 'No reviews';
  return (
    <span>
      <Rating value={formatAverage(overall_rating)} /> {plural(total_reviews, 'review')}
    </span>
  );
}

const Rating = ({ value }: { value: string }) => (
  <span className="font-semibold text-ink">
    {value}
    <span aria-hidden className="text-accent">
      {' '}
      ★
    </span>
    <span className="sr-only"> of 5 stars</span>
  </span>
);

function Lines({ first, second, aside }: { first: string; second?: string; aside: ReactNode }) {
  return (
    <span className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="min-w-0 flex-[1_1_12rem]">
        <span className="block font-semibold">{first}</span>{' '}
        {second && <span className="block text-xs text-ink-soft">{second}</span>}
      </span>{' '}
      <span className="text-xs whitespace-nowrap text-ink-soft lining-nums">{aside}</span>
    </span>
  );
}
