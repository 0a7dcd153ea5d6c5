import { titleCase } from '#contract/names.ts';
import { REVIEW_FILTER_CHOICES, REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import { formatLocation } from '#web/lib/format.ts';
import { withQuery } from '#web/lib/paths.ts';

/** Specification, section 2, "Reviews list": the address mirrors these. */
const FILTER_NAMES = [
  'search',
  'position_title',
  'state',
  'city',
  'min_rating',
  'would_recommend',
  'is_current_employee',
  'ordering',
] as const;
type FilterName = (typeof FILTER_NAMES)[number];

export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export const [DEFAULT_ORDERING] = REVIEW_ORDERING_KEYS;

export function readFilters({ searchParams }: URL): Filters {
  const values = FILTER_NAMES.map((name) => [
    name,
    // A form without script sends the cities that are chosen and the one that is typed apart.
    name === 'city' ? searchParams.getAll(name).join(',') : (searchParams.get(name) ?? ''),
  ]);
  return tidy(Object.fromEntries(values) as Filters);
}

/** As the address and the API have it: what is empty, or goes without saying, is left out. */
export function tidy(filters: Filters): Filters {
  const cities = joinCities(citiesOf(filters));
  const tidied = FILTER_NAMES.map((name) => [
    name,
    name === 'city' ? cities : (filters[name] ?? '').trim(),
  ]).filter(([name, value]) => value && !(name === 'ordering' && isImplied(value, filters)));
  return Object.fromEntries(tidied) as Filters;
}

/** A search goes by the best match, unless it is asked for an order. */
const isImplied = (ordering: string, { search }: Filters) =>
  ordering === DEFAULT_ORDERING && !search?.trim();

export const isSame = (a: Filters, b: Filters) => withQuery('', tidy(a)) === withQuery('', tidy(b));

/** Whether there could be more without them; the order takes nothing away. */
export const isNarrowed = ({ ordering: _, ...filters }: Filters) => !isSame(filters, {});

export const citiesOf = ({ city }: Filters): string[] => [
  ...new Set(
    (city ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
];

export const joinCities = (cities: readonly string[]) => cities.join(',');

/** The search and the order stay: they have boxes of their own. */
export const withoutChoices = ({ search, ordering }: Filters): Filters =>
  tidy({ search: search ?? '', ordering: ordering ?? '' });

export interface Choice {
  label: string;
  /** The filters when it is taken back. */
  without: Filters;
}

/** What is chosen, one by one, in the order of the form. */
export function choicesOf(filters: Filters): Choice[] {
  const { position_title, state } = filters;
  const cities = citiesOf(filters);
  const without = (name: FilterName) => ({ ...filters, [name]: '' });
  const one = (name: FilterName, label: string | undefined): Choice[] =>
    label ? [{ label, without: without(name) }] : [];
  return [
    ...one('position_title', position_title && titleCase(position_title)),
    ...one('state', state?.toUpperCase()),
    ...cities.map((city) => ({
      label: cityLabel(city),
      without: { ...filters, city: joinCities(cities.filter((other) => other !== city)) },
    })),
    ...one('min_rating', labelOf('min_rating', filters)),
    ...one('would_recommend', labelOf('would_recommend', filters)),
    ...one('is_current_employee', labelOf('is_current_employee', filters)),
  ];
}

export const cityLabel = (city: string) => formatLocation({ city, state: null });

function labelOf(name: keyof typeof REVIEW_FILTER_CHOICES, filters: Filters): string | undefined {
  const value = filters[name];
  return REVIEW_FILTER_CHOICES[name].find((choice) => choice.value === value)?.label ?? value;
}
