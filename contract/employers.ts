import * as z from 'zod/mini';
import { EMPLOYER_NAME_MAX } from './limits.ts';
import { listQuery, pageOf, queryBoolean, queryInt } from './paging.ts';

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
export const OWNERSHIP_NOT_SPECIFIED = 'Not Specified';

/** Null until there is a review to average; two decimals, shown with one. */
const average = z.nullable(z.number());

/** Specification, section 3. */
export const Employer = z.strictObject({
  id: z.int(),
  name: z.string(),
  address: z.nullable(z.string()),
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  zip: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  website: z.nullable(z.string()),
  employer_type: z.enum(EMPLOYER_TYPE_KEYS),
  employer_type_display: z.string(),
  specialty: z.nullable(z.string()),
  ownership_type: z.string(),
  bed_count: z.nullable(z.int()),
  staff_count: z.nullable(z.int()),
  trauma_level: z.nullable(z.enum(TRAUMA_LEVELS)),
  has_helipad: z.nullable(z.boolean()),
  hospital_status: z.nullable(z.string()),
  user_submitted: z.boolean(),
  created_at: z.iso.datetime(),
  total_reviews: z.int(),
  overall_rating: average,
  avg_work_life_balance_rating: average,
  avg_mentorship_growth_rating: average,
  avg_team_collaboration_rating: average,
  avg_compensation_benefits_rating: average,
  avg_immigration_support_rating: average,
});
export type Employer = z.infer<typeof Employer>;

export const EmployerPage = pageOf(Employer);

/** The directory's sort choices (specification, section 9), the default first. */
export const EMPLOYER_ORDERINGS = {
  name: 'Name A-Z',
  '-name': 'Name Z-A',
  '-bed_count': 'Most Beds',
  bed_count: 'Fewest Beds',
  '-overall_rating': 'Highest Rated',
  '-total_reviews': 'Most Reviews',
  '-created_at': 'Recently Added',
} as const;
export type EmployerOrdering = keyof typeof EMPLOYER_ORDERINGS;
export const EMPLOYER_ORDERING_KEYS = Object.keys(EMPLOYER_ORDERINGS) as [
  EmployerOrdering,
  ...EmployerOrdering[],
];

const bound = z.optional(queryInt(0, 1_000_000, 'Must be a whole number from 0'));
const choice = z.optional(z.string().check(z.trim(), z.maxLength(100)));

/** `GET /employers/`. Without `ordering`, a search answers best match first, else by name. */
export const EmployerQuery = z
  .strictObject({
    ...listQuery,
    state: choice,
    employer_type: z.optional(z.enum(EMPLOYER_TYPE_KEYS, 'Unknown employer type')),
    ownership_type: choice,
    trauma_level: z.optional(z.enum(TRAUMA_LEVELS, 'Unknown trauma level')),
    hospital_status: choice,
    has_helipad: z.optional(queryBoolean),
    min_beds: bound,
    max_beds: bound,
    min_staff: bound,
    max_staff: bound,
    hospitals_only: z.optional(queryBoolean),
    ordering: z.optional(z.enum(EMPLOYER_ORDERING_KEYS, 'Unknown ordering')),
  })
  .check(
    z.refine(
      (q) => q.min_beds === undefined || q.max_beds === undefined || q.min_beds <= q.max_beds,
      {
        path: ['min_beds'],
        error: 'Minimum beds must not be above maximum beds',
      },
    ),
    z.refine(
      (q) => q.min_staff === undefined || q.max_staff === undefined || q.min_staff <= q.max_staff,
      { path: ['min_staff'], error: 'Minimum staff must not be above maximum staff' },
    ),
  );
export type EmployerQuery = z.infer<typeof EmployerQuery>;

export const EmployerFilterOptions = z.strictObject({
  total_employers: z.int(),
  states: z.array(z.string()),
  employer_types: z.array(z.strictObject({ value: z.enum(EMPLOYER_TYPE_KEYS), label: z.string() })),
  ownership_types: z.array(z.string()),
  trauma_levels: z.array(z.enum(TRAUMA_LEVELS)),
});
export type EmployerFilterOptions = z.infer<typeof EmployerFilterOptions>;

export const EmployerName = z
  .string('Please enter a name')
  .check(
    z.trim(),
    z.minLength(2, 'Please enter a name'),
    z.maxLength(EMPLOYER_NAME_MAX, `Must be at most ${EMPLOYER_NAME_MAX} characters`),
  );
export const CustomEmployerRequest = z.strictObject({ name: EmployerName });

export const EMPLOYER_MESSAGES = {
  listFailed: 'Failed to load employers. Please try again later.',
  detailFailed: 'Failed to load employer details.',
  notFound: 'Employer not found',
} as const;
