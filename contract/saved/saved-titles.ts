import { EMPLOYER_TYPES, type EmployerType } from '../employers/employer-choices.ts';
import { titleCase } from '../names.ts';
import { choiceLabel } from '../review-choices.ts';
import type { SearchedPage } from './saved-address.ts';

const LISTS: Record<SearchedPage, string> = { '/employers': 'Employers', '/reviews': 'Reviews' };

/** How to display a filter's value. Default: the value itself. Null: omit it. */
const LABELS: Readonly<Record<string, (value: string) => string | null>> = {
  search: (text) => `“${text}”`,
  ordering: () => null,
  state: (state) => state.toUpperCase(),
  city: (cities) => cities.split(',').map(titleCase).join(', '),
  position_title: titleCase,
  min_rating: choiceLabel('min_rating'),
  max_rating: choiceLabel('max_rating'),
  would_recommend: choiceLabel('would_recommend'),
  is_current_employee: choiceLabel('is_current_employee'),
  employer_type: (type) =>
    Object.hasOwn(EMPLOYER_TYPES, type) ? EMPLOYER_TYPES[type as EmployerType] : type,
  trauma_level: (level) => `Trauma ${level}`,
  hospitals_only: (only) => (only === 'true' ? 'Hospitals only' : null),
  has_reviews: (has) => (has === 'true' ? 'With reviews' : null),
  min_reviews: (reviews) => `at least ${reviews} reviews`,
  min_immigration_support_rating: (stars) =>
    `immigration support ${choiceLabel('min_rating')(stars)}`,
  has_helipad: (has) => (has === 'true' ? 'Helipad' : 'No helipad'),
  min_beds: (beds) => `at least ${beds} beds`,
  max_beds: (beds) => `at most ${beds} beds`,
  min_staff: (staff) => `at least ${staff} staff`,
  max_staff: (staff) => `at most ${staff} staff`,
};

/** For an employer that had no review before. */
export const firstReviewTitle = (name: string) => `First review of ${name}`;

/** The labels of a search and its filters. */
export function searchLabels(criteria: Readonly<Record<string, string | undefined>>): string[] {
  const { search, ...filters } = criteria;
  return (
    [...(search ? [['search', search] as const] : []), ...Object.entries(filters)]
      // An address in a browser's storage may have any parameter, such as `constructor`.
      .map(([name, value]) =>
        value && Object.hasOwn(LABELS, name) ? LABELS[name]?.(value) : value,
      )
      .filter((label) => label != null)
  );
}

/** The title of a saved search: 'Reviews: “night float”, Hospitalist, TX'. */
export function searchTitle(
  page: SearchedPage,
  criteria: Readonly<Record<string, string>>,
): string {
  const labels = searchLabels(criteria);
  return labels.length > 0
    ? `${LISTS[page]}: ${labels.join(', ')}`
    : `All ${LISTS[page].toLowerCase()}`;
}
