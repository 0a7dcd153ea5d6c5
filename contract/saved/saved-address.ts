import { EMPLOYER_TYPES, type EmployerType, isEmployerId } from '../employers/employer-choices.ts';
import { SAVED_ADDRESS_MAX, SAVED_CHARACTERS_MAX, SAVED_MAX } from '../limits.ts';
import { titleCase } from '../names.ts';
import { choiceLabel } from '../review-choices.ts';

/** The lists whose searches can be saved. */
const SEARCHED_PAGES = ['/employers', '/reviews'] as const;
export type SearchedPage = (typeof SEARCHED_PAGES)[number];

/** Saved entries are page addresses: of an employer, or of a list with its filters. */
export type Saved =
  | { readonly employerId: number }
  | { readonly page: SearchedPage; readonly criteria: Readonly<Record<string, string>> };

const EMPLOYERS = '/employers/';
export const employerAddress = (id: number) => `${EMPLOYERS}${id}`;

/** The canonical address of a search: the order of its parameters does not matter. */
export function searchAddress(
  page: SearchedPage,
  criteria: Readonly<Record<string, string | undefined>>,
): string {
  const search = new URLSearchParams(
    Object.entries(criteria).flatMap(([name, value]): [string, string][] => {
      const text = value?.trim();
      return text ? [[name, text]] : [];
    }),
  );
  search.sort();
  return search.size > 0 ? `${page}?${search}` : page;
}

/** Null if the address is too long, or not in the form that the functions above produce. */
export function parseSaved(address: unknown): Saved | null {
  if (typeof address !== 'string' || address.length > SAVED_ADDRESS_MAX) return null;
  // No list can be asked for a NUL character.
  if (address.includes('%00')) return null;
  const id = address.slice(EMPLOYERS.length);
  if (address.startsWith(EMPLOYERS) && isEmployerId(id)) return { employerId: Number(id) };
  const [path, query = ''] = address.split('?', 2);
  const page = SEARCHED_PAGES.find((one) => one === path);
  if (!page) return null;
  const criteria = Object.fromEntries(new URLSearchParams(query));
  return searchAddress(page, criteria) === address ? { page, criteria } : null;
}

/** Whether the entries fit: by number, and in a list of constant size. */
export const fits = (entries: readonly string[]): boolean =>
  entries.length <= SAVED_MAX &&
  entries.reduce((sum, { length }) => sum + length + 3, 0) <= SAVED_CHARACTERS_MAX;

const LIST_NAMES: Record<SearchedPage, string> = {
  '/employers': 'Employers',
  '/reviews': 'Reviews',
};

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
    ? `${LIST_NAMES[page]}: ${labels.join(', ')}`
    : `All ${LIST_NAMES[page].toLowerCase()}`;
}
