import type { EmployerQuery } from '#contract/employers.ts';
import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import type { ReviewCriteria } from '#server/features/reviews/list/list-filters.ts';

/** A query of the review list, without its page number. */
export type Asked = Omit<ReviewCriteria, 'page' | 'page_size'> & { search?: string };

export const ORDERINGS = REVIEW_ORDERING_KEYS;

export const FILTERS: readonly Asked[] = [
  {},
  { state: 'TX' },
  { state: 'WY' },
  { city: 'Elmhurst' },
  { city: 'Elmhurst,Deerhurst,Springville' },
  { position_title: 'Hospitalist' },
  { position_title: 'Medical Director' },
  { specialty: 'Hospital Medicine' },
  { specialty: 'Cardiovascular Disease' },
  { specialty: 'Allergy & Immunology' },
  { specialty: 'Hand Surgery' },
  { specialty: 'Vascular Surgery' },
  { specialty: 'Cardiovascular Disease', state: 'TX' },
  { specialty: 'Vascular Surgery', state: 'WY', min_rating: 2 },
  { specialty: 'Cardiovascular Disease', city: 'Elmhurst' },
  { specialty: 'Hospital Medicine', position_title: 'Hospitalist' },
  { min_rating: 4 },
  { min_rating: 5 },
  { max_rating: 2 },
  { min_rating: 2, max_rating: 2 },
  { would_recommend: 'true' },
  { would_recommend: 'false' },
  { is_current_employee: 'true' },
  { state: 'CA', min_rating: 4 },
  { position_title: 'Hospitalist', state: 'TX' },
  { position_title: 'Hospitalist', city: 'Elmhurst' },
  { position_title: 'Hospitalist', would_recommend: 'true' },
  { min_rating: 3, would_recommend: 'false', is_current_employee: 'false' },
  { state: 'TX', min_rating: 2, would_recommend: 'true', is_current_employee: 'true' },
  { min_rating: 5, would_recommend: 'false' },
  // Employers are numbered by size: the first has the most reviews.
  { employer_id: 1 },
  { employer_id: 1, position_title: 'Hospitalist' },
  { employer_id: 1, specialty: 'Cardiovascular Disease' },
  { employer_id: 1, min_rating: 2, max_rating: 2 },
  { employer_id: 1, concern: 'cons-call' },
  { employer_id: 9000 },
];

const CHOICES = {
  state: ['TX', 'WY'],
  city: ['Elmhurst', 'Elmhurst,Deerhurst,Springville'],
  position_title: ['Hospitalist', 'Emergency Physician', 'Medical Director'],
  min_rating: [2, 3, 4, 5],
  would_recommend: ['true', 'false'],
  is_current_employee: ['true', 'false'],
} as const;

/** Every combination of the filters, each one unset or set to one of its choices. */
export function everyCombination(): Asked[] {
  return Object.entries(CHOICES).reduce<Asked[]>(
    (asked, [name, values]) =>
      asked.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  );
}

export const SEARCHES =
  `hospital; hospitalist; cardiologist; visa sponsorship; nights; night shifts;
  call burden; scribes; elmhurst; deerhurst general; springville childrens; pennsylvania; texas;
  TX hospitalist; california cardiologist; galen; corvane; lantern rehab; st gabriels;
  wyoming psychiatrist; general surgeon ohio; radiology overnight; overnight; compensation;
  locums weekend; turnover; mentorship; parking; hosptialist; cardiolgist; sprigville;
  radiologst texas; xylophone; the; a; nur; nurses chief resident; inbox 417;
  program 42 vermont; family emergency`.split(/;\s*/);

/** Filters to combine with a search. */
export const SEARCH_FILTERS: readonly Asked[] = [
  { state: 'TX' },
  { state: 'WY' },
  { city: 'Elmhurst' },
  { position_title: 'Hospitalist' },
  { specialty: 'Cardiovascular Disease' },
  { min_rating: 4 },
  { would_recommend: 'false' },
  { is_current_employee: 'true' },
  { state: 'CA', min_rating: 4 },
];

/** Queries of the directory. */
export const EMPLOYER_CASES: readonly Partial<EmployerQuery>[] = [
  {},
  { ordering: '-name' },
  { ordering: '-bed_count' },
  { ordering: 'bed_count' },
  { ordering: '-overall_rating' },
  { ordering: '-total_reviews' },
  { ordering: '-created_at' },
  { ordering: '-established' },
  { state: 'TX' },
  { state: 'VT', ordering: '-overall_rating' },
  { employer_type: 'fellowship' },
  { employer_type: 'fellowship', ordering: '-total_reviews' },
  { ownership_type: 'Government - Federal' },
  { trauma_level: 'Level I' },
  { trauma_level: 'Level I', ordering: '-overall_rating' },
  { hospital_status: 'Closed' },
  { has_helipad: 'true', ordering: '-bed_count' },
  { min_beds: 1400 },
  { min_beds: 1400, ordering: '-created_at' },
  { min_staff: 8000, max_staff: 8100, ordering: '-overall_rating' },
  { hospitals_only: 'true', state: 'WY', min_beds: 900, trauma_level: 'Level V' },
  { state: 'ZZ', ordering: '-overall_rating' },
  { specialty: 'Cardiovascular Disease' },
  { specialty: 'Vascular Surgery', ordering: '-overall_rating' },
  { specialty: 'Hospital Medicine', state: 'TX', ordering: '-total_reviews' },
  { search: 'aldergate cedarford' },
  { search: 'st mary' },
  { search: 'childrens hosp texas' },
  { search: 'hospital' },
  { search: 'hospital', ordering: '-overall_rating' },
  { search: 'medical center', state: 'CA', ordering: 'name' },
  { search: 'aldergait cederford' },
  { search: 'quillon zzyzx clinic' },
];
