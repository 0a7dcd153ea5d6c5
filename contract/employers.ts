import * as z from 'zod/mini';
import {
  BOUND_MAX,
  BOUND_MESSAGES,
  COMPARE_MAX,
  COMPARE_MIN,
  EMPLOYER_ORDERING_KEYS,
  EMPLOYER_TYPE_KEYS,
  HOSPITAL_STATUSES,
  TRAUMA_LEVELS,
} from './employer-choices.ts';
import { CHOICE_MAX, EMPLOYER_NAME_MAX } from './limits.ts';
import { oneLine } from './one-line.ts';
import { listQuery, pageOf, queryBoolean, queryInt } from './paging.ts';

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

const bound = z.optional(queryInt(0, BOUND_MAX, BOUND_MESSAGES.number));
const choice = z.optional(
  z.string().check(z.trim(), z.maxLength(CHOICE_MAX, `Must be at most ${CHOICE_MAX} characters`)),
);

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
        error: BOUND_MESSAGES.beds,
      },
    ),
    z.refine(
      (q) => q.min_staff === undefined || q.max_staff === undefined || q.min_staff <= q.max_staff,
      { path: ['min_staff'], error: BOUND_MESSAGES.staff },
    ),
  );
export type EmployerQuery = z.infer<typeof EmployerQuery>;

/** How many employers each choice of a filter has; choices that none has are left out. */
const countOfEach = z.record(z.string(), z.int());

/** `GET /employers/filter_options/`. `counts` has an entry for every choice of the lists. */
export const EmployerFilterOptions = z.strictObject({
  total_employers: z.int(),
  states: z.array(z.string()),
  employer_types: z.array(z.strictObject({ value: z.enum(EMPLOYER_TYPE_KEYS), label: z.string() })),
  ownership_types: z.array(z.string()),
  trauma_levels: z.array(z.enum(TRAUMA_LEVELS)),
  hospital_statuses: z.array(z.string()),
  counts: z.strictObject({
    states: countOfEach,
    employer_types: countOfEach,
    ownership_types: countOfEach,
    trauma_levels: countOfEach,
    hospital_statuses: countOfEach,
    /** 'true' and 'false'. */
    has_helipad: countOfEach,
  }),
});
export type EmployerFilterOptions = z.infer<typeof EmployerFilterOptions>;

/** How many reviews gave 1, 2, 3, 4 and 5 stars. */
const spread = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]);

/**
 * `GET /employers/{id}/insights/`: what its published reviews add up to, beyond the averages that
 * the employer itself has.
 */
export const EmployerInsights = z.strictObject({
  employer_id: z.int(),
  total_reviews: z.int(),
  /** The stars given, overall and by category. */
  spread: z.strictObject({
    overall_rating: spread,
    work_life_balance_rating: spread,
    mentorship_growth_rating: spread,
    team_collaboration_rating: spread,
    compensation_benefits_rating: spread,
    immigration_support_rating: spread,
  }),
  would_recommend: z.strictObject({
    yes: z.int(),
    answered: z.int(),
    /** From 0 to 1, two decimals; null while nobody has answered. */
    share: average,
  }),
  /** To the minute; null while there is no review. */
  newest_review_at: z.nullable(z.iso.datetime()),
  /** The reviews of the last `RECENT_MONTHS` months alone. */
  recent: z.strictObject({ total_reviews: z.int(), overall_rating: average }),
  /** The positions reviewed, the commonest first: choices of the filter `position_title`. */
  position_titles: z.array(z.strictObject({ title: z.string(), count: z.int() })),
});
export type EmployerInsights = z.infer<typeof EmployerInsights>;

const COMPARE_MESSAGE = `Please choose from ${COMPARE_MIN} to ${COMPARE_MAX} employers`;
const MAX_ID = 2 ** 31 - 1;

const ID_MESSAGE = 'Must be the id of an employer';
const ID_LIST_MESSAGE = 'Must be ids of employers with commas between them';

/** An employer's id in a path or a query. */
export const EmployerId = queryInt(1, MAX_ID, ID_MESSAGE);

/** `GET /employers/compare/?ids=1,2,3`. An id given twice counts once. */
export const CompareQuery = z.strictObject({
  ids: z.pipe(
    z.pipe(
      z.string(COMPARE_MESSAGE).check(z.regex(/^\d+(,\d+)*$/, ID_LIST_MESSAGE)),
      z.transform((ids) => [...new Set(ids.split(',').map(Number))]),
    ),
    z.array(z.number()).check(
      z.minLength(COMPARE_MIN, COMPARE_MESSAGE),
      z.maxLength(COMPARE_MAX, COMPARE_MESSAGE),
      z.refine((ids) => ids.every((id) => EmployerId.safeParse(id).success), ID_MESSAGE),
    ),
  ),
});

/** In the order asked for. A merged id gives the employer that it was merged into. */
export const EmployerComparison = z.strictObject({
  results: z.array(z.strictObject({ employer: Employer, insights: EmployerInsights })),
  unknown_ids: z.array(z.int()),
});
export type EmployerComparison = z.infer<typeof EmployerComparison>;

/** What a merged employer's addresses answer, with status 301 and `Location`. */
export const MergedEmployer = z.strictObject({ merged_into: z.int() });
export type MergedEmployer = z.infer<typeof MergedEmployer>;

/** Labels of letters, digits, and hyphens (RFC 1035, section 2.3.1), with dots between them. */
const DOMAIN = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,9}$/;

export const EmployerName = z.string('Please enter a name').check(
  z.trim(),
  z.minLength(2, { error: 'Please enter a name', abort: true }),
  // Names are told apart by these alone.
  z.regex(/[\p{Script=Latin}\p{Nd}]/u, 'Please enter a name'),
  z.maxLength(EMPLOYER_NAME_MAX, `Must be at most ${EMPLOYER_NAME_MAX} characters`),
  oneLine,
);
export const CustomEmployerRequest = z.strictObject({ name: EmployerName });

/** `GET /employers/mail_domain/?domain=hospital.org`: the part of an address after the "@". */
export const MailDomainQuery = z.strictObject({
  domain: z
    .string('Must be a domain')
    .check(
      z.toLowerCase(),
      z.maxLength(253, 'Must be a domain'),
      z.regex(DOMAIN, 'Must be a domain'),
    ),
});
/** Whether the domain, or one above it, is that of an employer in the directory. */
export const MailDomain = z.strictObject({ is_employer: z.boolean() });
export type MailDomain = z.infer<typeof MailDomain>;

/** `PATCH /admin/employers/{id}/`: what is left out stays. An import will not undo it. */
export const EmployerCurationRequest = z
  .strictObject({
    name: z.optional(EmployerName),
    employer_type: z.optional(z.enum(EMPLOYER_TYPE_KEYS, 'Unknown employer type')),
    hospital_status: z.optional(z.enum(HOSPITAL_STATUSES, 'Unknown hospital status')),
  })
  .check(
    z.refine((change) => Object.keys(change).length > 0, {
      path: ['name'],
      error: 'Please say what is to change',
    }),
  );
export type EmployerCurationRequest = z.infer<typeof EmployerCurationRequest>;

/** `POST /admin/employers/{id}/merge/` */
export const EmployerMergeRequest = z.strictObject({ into: EmployerId });

/** The employer that is left after a merge, and how many reviews moved to it. */
export const EmployerMerge = z.strictObject({
  employer: Employer,
  moved_reviews: z.int(),
});
export type EmployerMerge = z.infer<typeof EmployerMerge>;

/** `GET /admin/employers/submitted/`, newest first, each with employers that it may double. */
export const SubmittedEmployerQuery = z.strictObject({
  page: listQuery.page,
  page_size: listQuery.page_size,
});
export const SubmittedEmployerPage = pageOf(
  z.strictObject({ employer: Employer, candidates: z.array(Employer) }),
);
