import { BOUND_MAX, BOUND_MESSAGES, EMPLOYER_ORDERINGS } from '#contract/employer-choices.ts';
import type { Employer, EmployerFilterOptions } from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import { listQuery } from '#web/lib/list-query.ts';

/** Specification, section 7, `GET /employers/`. */
const FILTERS = [
  'state',
  'employer_type',
  'ownership_type',
  'trauma_level',
  'hospital_status',
  'has_helipad',
  'min_beds',
  'max_beds',
  'min_staff',
  'max_staff',
  'hospitals_only',
] as const;
export type DirectoryFilter = (typeof FILTERS)[number];

const NAMES = ['search', ...FILTERS, 'ordering'] as const;

/** What the address asks for, but for the page. What is not asked for is left out. */
export type DirectoryQuery = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/** What the API has to say to it; what it failed to say is null. */
export interface DirectoryAnswer {
  list: Page<Employer> | null;
  options: EmployerFilterOptions | null;
  /** Why the list was refused, if it was. */
  refusals: readonly string[];
}

export const FAILED: DirectoryAnswer = { list: null, options: null, refusals: [] };

export const directoryQuery = (url: string): DirectoryQuery => asked(listQuery(url, NAMES));

/** How many the badge on the Filters toggle counts: the search is none of them. */
export const activeFilters = (query: DirectoryQuery): number =>
  FILTERS.filter((name) => query[name]).length;

export const withoutFilters = ({ search, ordering }: DirectoryQuery): DirectoryQuery =>
  asked({ search, ordering });

/** What is typed into the fields as the address has it: in one order, without what asks nothing. */
export function asked(fields: Readonly<Record<string, unknown>>): DirectoryQuery {
  const entries = NAMES.flatMap((name) => {
    const text = String(fields[name] ?? '').trim();
    const says = text !== '' && !(name === 'hospitals_only' && text !== 'true');
    return says ? [[name, text]] : [];
  });
  const query: DirectoryQuery = Object.fromEntries(entries);
  const [byName] = Object.keys(EMPLOYER_ORDERINGS);
  // With a search it is a wish; without, it is how the list is ordered anyway.
  if (query.search || query.ordering !== byName) return query;
  const { ordering: _, ...rest } = query;
  return rest;
}

const BOUNDS = [
  { min: 'min_beds', max: 'max_beds', reversed: BOUND_MESSAGES.beds },
  { min: 'min_staff', max: 'max_staff', reversed: BOUND_MESSAGES.staff },
] as const;

/** What is wrong with the number filters, by field. */
export function boundErrors(query: DirectoryQuery): Partial<Record<DirectoryFilter, string>> {
  const errors: Partial<Record<DirectoryFilter, string>> = {};
  for (const { min, max, reversed } of BOUNDS) {
    const from = query[min]?.trim();
    const to = query[max]?.trim();
    if (from && !isCount(from)) errors[min] = BOUND_MESSAGES.number;
    if (to && !isCount(to)) errors[max] = BOUND_MESSAGES.number;
    if (from && to && isCount(from) && isCount(to) && Number(from) > Number(to)) {
      errors[min] = reversed;
    }
  }
  return errors;
}

const isCount = (text: string) => /^\d+$/.test(text) && Number(text) <= BOUND_MAX;
