import { REVIEW_ORDERING_KEYS } from '#contract/review-choices.ts';
import type { ReviewFilter } from '#server/features/reviews/filter.ts';

/** The query of a list of reviews, without its page. */
export type Asked = Omit<ReviewFilter, 'page' | 'page_size'>;

export const ORDERINGS = REVIEW_ORDERING_KEYS;

export const FILTERS: readonly Asked[] = [
  {},
  { state: 'TX' },
  { state: 'WY' },
  { city: 'Elmhurst' },
  { city: 'Elmhurst,Deerhurst,Springville' },
  { position_title: 'Hospitalist' },
  { position_title: 'Medical Director' },
  { min_rating: 4 },
  { min_rating: 5 },
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
  // Employers are numbered by size. The first one has the most reviews.
  { employer_id: 1 },
  { employer_id: 1, position_title: 'Hospitalist' },
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

/** Every combination of filters, each one omitted or set to one of its choices. */
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

/** Filters to narrow a search. */
export const SEARCH_FILTERS: readonly Asked[] = [
  { state: 'TX' },
  { state: 'WY' },
  { city: 'Elmhurst' },
  { position_title: 'Hospitalist' },
  { min_rating: 4 },
  { would_recommend: 'false' },
  { is_current_employee: 'true' },
  { state: 'CA', min_rating: 4 },
];
