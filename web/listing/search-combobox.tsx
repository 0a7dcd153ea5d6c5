import { type ReactNode, type Ref, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import { SEARCH_MAX, SUGGEST_FROM } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Suggestions } from '#contract/reviews/suggestions.ts';
import { formatAverage, formatLocation, plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { NO_EXACT_MATCH, useOptionSearch } from '#web/lib/use-option-search.ts';
import { rememberSpecialty } from '#web/listing/specialty-field.tsx';
import { Combobox, type ComboboxOption, type TakeBox } from '#web/ui/combobox.tsx';

interface SearchComboboxProps {
  id: string;
  text: string;
  className?: string;
  placeholder?: string | undefined;
  /** The URLs of suggestions that filter or search a list. */
  paths: SuggestionPaths;
  /** Shown instead of suggestions if there are none. */
  nothingFound?: string | null;
  /** The user has already typed. */
  startsOpen?: boolean;
  onType: (text: string) => void;
  /** Called before a suggestion opens. */
  onOpen?: () => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  takeBox?: TakeBox;
}

const ask = async (search: string, signal: AbortSignal) => [
  await api.call(suggestionEndpoints.list, { query: { search }, signal }),
];

/**
 * The text box of every search, with suggestions (docs/product.md, "Search boxes"). Enter submits the
 * form around it, unless the user has moved to a suggestion.
 */
export function SearchCombobox({
  paths,
  nothingFound = null,
  onType,
  onOpen,
  startsOpen,
  ...box
}: SearchComboboxProps) {
  const navigate = useNavigate();
  const { results, status, search } = useOptionSearch(ask);
  const [suggestions] = results;

  function open(path: string) {
    onOpen?.();
    void navigate(path);
  }

  function suggest(text: string) {
    search(text.trim().length < SUGGEST_FROM ? '' : text);
  }

  const found = suggestions ? suggestedOptions(suggestions, box.text, paths, open) : [];
  // The search alone is no suggestion.
  const options = found.length > 1 ? found : [];
  const isNothingFound = status === 'done' && options.length === 0;
  const closestNote = suggestions?.is_closest ? NO_EXACT_MATCH : null;

  function type(text: string) {
    onType(text);
    suggest(text);
  }

  const takeTyped = useEffectEvent(() => {
    const input = document.getElementById(box.id) as HTMLInputElement;
    if (startsOpen) suggest(box.text);
    else if (input.value !== box.text) type(input.value);
  });
  // What was typed while the scripts were loading.
  useEffect(() => takeTyped(), []);

  return (
    <Combobox
      {...box}
      type="search"
      isPageWide
      name="search"
      maxLength={SEARCH_MAX}
      startsOpen={startsOpen ?? false}
      onType={type}
      options={options}
      note={isNothingFound ? nothingFound : closestNote}
    />
  );
}

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
function suggestedOptions(
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
