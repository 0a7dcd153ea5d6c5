/**
 * Orders, filters, and comparison rows of employers. No schemas, so that lists load without zod.
 */

import { EMPLOYER_ID_MAX, RATING_MAX, RATING_MIN } from '../limits.ts';
import { perCategory } from '../review-choices.ts';

/** Whether a text is an id, spelled as in an employer's address. */
export const isEmployerId = (text: string): boolean =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= EMPLOYER_ID_MAX;

export const EMPLOYER_TYPES = {
  hospital: 'Hospital',
  residency: 'Residency',
  fellowship: 'Fellowship',
  clinic: 'Clinic',
  others: 'Others',
} as const;
export type EmployerType = keyof typeof EMPLOYER_TYPES;
export const EMPLOYER_TYPE_KEYS = Object.keys(EMPLOYER_TYPES) as [EmployerType, ...EmployerType[]];

export const TRAUMA_LEVELS = ['Level I', 'Level II', 'Level III', 'Level IV', 'Level V'] as const;
export const HOSPITAL_STATUSES = ['Open', 'Closed'] as const;
export const OWNERSHIP_NOT_SPECIFIED = 'Not Specified';

/** The sort orders of the directory, default first. */
export const EMPLOYER_ORDERINGS = {
  name: 'Name A-Z',
  '-name': 'Name Z-A',
  '-bed_count': 'Most Beds',
  bed_count: 'Fewest Beds',
  '-overall_rating': 'Highest Rated',
  '-total_reviews': 'Most Reviews',
  '-created_at': 'Recently Added',
  '-established': 'Best established',
} as const;
/** Orders by the average of a category, which have a control of their own. */
export const CATEGORY_ORDERINGS = perCategory((_, label) => label, '-avg_');
export type EmployerOrdering = keyof typeof EMPLOYER_ORDERINGS | keyof typeof CATEGORY_ORDERINGS;
export const EMPLOYER_ORDERING_KEYS = [
  ...Object.keys(EMPLOYER_ORDERINGS),
  ...Object.keys(CATEGORY_ORDERINGS),
] as [EmployerOrdering, ...EmployerOrdering[]];

/** The number filters. The field shows the message if its value is invalid. */
export const BOUND_MAX = 1_000_000;
export const BOUND_MESSAGES = {
  number: `Must be a whole number from 0 to ${BOUND_MAX}`,
  beds: 'Minimum beds must not be above maximum beds',
  rating: `Must be a whole number from ${RATING_MIN} to ${RATING_MAX}`,
  staff: 'Minimum staff must not be above maximum staff',
} as const;

/** Recent averages cover the reviews of this many months. */
export const RECENT_MONTHS = 24;

export const COMPARE_MIN = 2;
export const COMPARE_MAX = 4;

export const EMPLOYER_MESSAGES = {
  listFailed: 'Failed to load employers. Please try again later.',
  detailFailed: 'Failed to load employer details.',
  notFound: 'Employer not found',
} as const;
