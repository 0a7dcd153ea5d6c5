import {
  BOUND_MAX,
  BOUND_MESSAGES,
  EMPLOYER_ORDERINGS,
  type EmployerType,
} from '#contract/employers/employer-choices.ts';
import type {
  EmployerFilterOptions,
  ListedEmployer as Listed,
} from '#contract/employers/employers.ts';
import { STATE_NAMES } from '#contract/employers/states.ts';
import { titleCase } from '#contract/names.ts';
import type { Page } from '#contract/paging.ts';
import { CATEGORIES, CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import { searchLabels } from '#contract/saved/saved-address.ts';
import { paths } from '#web/lib/paths.ts';
import { type Criteria, defineListing, withSpecialty } from '#web/listing/criteria.ts';

/** docs/product/employers.md, "Employer filters". */
export const directoryListing = defineListing({
  path: paths.employers,
  parameters: [
    'search',
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
    'has_reviews',
    'min_reviews',
    'min_immigration_support_rating',
    'specialty',
    'ordering',
  ],
  orders: EMPLOYER_ORDERINGS,
  switches: ['hospitals_only', 'has_reviews'],
});

/** The fields that a directory entry shows. The page does not contain the rest. */
export type ListedEmployer = ReturnType<typeof toListed>;

export const toListed = (employer: Listed, ratedBy?: CategoryRating) => ({
  id: employer.id,
  name: titleCase(employer.name),
  city: employer.city,
  state: employer.state,
  phone: employer.phone,
  employer_type_display: employer.employer_type_display,
  ownership_type: employer.ownership_type,
  bed_count: employer.bed_count,
  trauma_level: employer.trauma_level,
  has_helipad: employer.has_helipad,
  total_reviews: employer.total_reviews,
  specialty_reviews: employer.specialty_reviews,
  overall_rating: employer.overall_rating,
  /** The average of the category that orders the list. */
  category_average: ratedBy && employer[`avg_${ratedBy}`],
});

/** The category by whose average the list is ordered. */
export const ratedByOf = ({ ordering }: Criteria): CategoryRating | undefined =>
  CATEGORIES.find(([category]) => ordering === `-avg_${category}`)?.[0];

const KINDS: Readonly<Record<EmployerType, string>> = {
  hospital: 'hospitals',
  residency: 'residencies',
  fellowship: 'fellowships',
  clinic: 'clinics',
  others: 'other employers',
};
const BEST_FIRST = ['-established', '-overall_rating'];

/** What is listed, but for search and rare filters: 'Best-rated hospitals in Florida'. */
export function directoryHeading(criteria: Criteria): string {
  const { ordering = '', employer_type = '', hospitals_only, state, specialty } = criteria;
  const kind = hospitals_only ? 'hospital' : employer_type;
  const kinds = Object.hasOwn(KINDS, kind) ? KINDS[kind as EmployerType] : 'employers';
  const code = state?.toUpperCase();
  const place = code ? ` in ${STATE_NAMES[code] ?? code}` : '';
  const ratedBy = ratedByOf(criteria);
  const by = ratedBy ? ` by ${CATEGORY_RATINGS[ratedBy].toLowerCase()}` : '';
  const isBestFirst = ratedBy || BEST_FIRST.includes(ordering);
  const heading = isBestFirst
    ? `Best-rated ${kinds}`
    : kinds.replace(/^./, (first) => first.toUpperCase());
  return withSpecialty(heading + place + by, { specialty });
}

/** The heading with all else that limits the list. */
export function directoryTitle(criteria: Criteria): string {
  const { employer_type: _, hospitals_only: __, state: ___, specialty, ...rest } = criteria;
  const labels = searchLabels(rest).join(', ');
  const heading = directoryHeading(criteria);
  return labels ? `${heading}${specialty ? ', ' : ': '}${labels}` : heading;
}

/** The responses of the API. Null if a call failed. */
export interface DirectoryAnswer {
  list: Page<ListedEmployer> | null;
  options: EmployerFilterOptions | null;
  /** Why the API rejected the criteria, if it did. */
  rejections: readonly string[];
}

export const FAILED: DirectoryAnswer = { list: null, options: null, rejections: [] };

const BOUNDS = [
  { min: 'min_beds', max: 'max_beds', reversed: BOUND_MESSAGES.beds },
  { min: 'min_staff', max: 'max_staff', reversed: BOUND_MESSAGES.staff },
] as const;

/** The errors of the number filters, by field. */
export function boundErrors(criteria: Criteria): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { min, max, reversed } of BOUNDS) {
    const from = criteria[min]?.trim();
    const to = criteria[max]?.trim();
    if (from && !isCount(from)) errors[min] = BOUND_MESSAGES.number;
    if (to && !isCount(to)) errors[max] = BOUND_MESSAGES.number;
    if (from && to && isCount(from) && isCount(to) && Number(from) > Number(to)) {
      errors[min] = reversed;
    }
  }
  return errors;
}

const isCount = (text: string) => /^\d+$/.test(text) && Number(text) <= BOUND_MAX;
