import * as z from 'zod/mini';
import { CONCERN_KEYS } from '../concerns.ts';
import { atMost, oneLine, textUpTo } from '../fields.ts';
import {
  CHOICE_MAX,
  EMPLOYER_ID_MAX,
  EMPLOYER_NAME_MAX,
  RATING_MAX,
  RATING_MIN,
} from '../limits.ts';
import { listQuery, queryBoolean, queryInt, searchedPageOf } from '../paging.ts';
import { perCategory } from '../review-choices.ts';
import { SPECIALTY_NAMES } from '../specialties.ts';
import {
  BOUND_MAX,
  BOUND_MESSAGES,
  EMPLOYER_ORDERING_KEYS,
  EMPLOYER_TYPE_KEYS,
  TRAUMA_LEVELS,
} from './employer-choices.ts';
import { EMPLOYER_SOURCES, type EmployerSource } from './employer-sources.ts';
import { isState, STATE_MESSAGE } from './states.ts';

/** Null if there are no reviews. Four decimals; shown with one. */
const average = z.nullable(z.number());

const averages = {
  overall_rating: average,
  ...perCategory(() => average, 'avg_'),
};

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
  ...averages,
});
export type Employer = z.infer<typeof Employer>;

/** An entry of the directory. */
export const ListedEmployer = z.strictObject({
  ...Employer.shape,
  /** Number of reviews in the requested specialty. Absent if the request names none. */
  specialty_reviews: z.optional(z.int()),
});
export type ListedEmployer = z.infer<typeof ListedEmployer>;

export const EmployerPage = searchedPageOf(ListedEmployer);

const bound = z.optional(queryInt(0, BOUND_MAX, BOUND_MESSAGES.number));
const choice = z.optional(textUpTo(CHOICE_MAX));
export const specialty = z.optional(z.enum(SPECIALTY_NAMES, 'Unknown specialty'));

/** `GET /employers/`. Without `ordering`, a search sorts by best match; otherwise by name. */
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
    has_reviews: z.optional(queryBoolean),
    min_reviews: bound,
    min_immigration_support_rating: z.optional(
      queryInt(RATING_MIN, RATING_MAX, BOUND_MESSAGES.rating),
    ),
    /** Employers with reviews in the specialty, and programs and clinics of it. */
    specialty,
    ordering: z.optional(z.enum(EMPLOYER_ORDERING_KEYS, 'Unknown ordering')),
  })
  .check(
    z.refine(
      (q) => q.min_beds === undefined || q.max_beds === undefined || q.min_beds <= q.max_beds,
      { path: ['min_beds'], error: BOUND_MESSAGES.beds },
    ),
    z.refine(
      (q) => q.min_staff === undefined || q.max_staff === undefined || q.min_staff <= q.max_staff,
      { path: ['min_staff'], error: BOUND_MESSAGES.staff },
    ),
  );
export type EmployerQuery = z.infer<typeof EmployerQuery>;

/** Number of employers for each choice of a filter. Choices without employers are omitted. */
const countOfEach = z.record(z.string(), z.int());

/** `GET /employers/filter_options/`: `state` limits all counts except of states and the total. */
export const EmployerFilterOptionsQuery = z.strictObject({ state: choice });

/** `GET /employers/filter_options/`. `counts` has an entry for every choice of the lists. */
export const EmployerFilterOptions = z.strictObject({
  total_employers: z.int(),
  states: z.array(z.string()),
  employer_types: z.array(z.strictObject({ value: z.enum(EMPLOYER_TYPE_KEYS), label: z.string() })),
  ownership_types: z.array(z.string()),
  trauma_levels: z.array(z.enum(TRAUMA_LEVELS)),
  hospital_statuses: z.array(z.string()),
  specialties: z.array(z.string()),
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

/** Histogram: number of reviews with 1, 2, 3, 4, and 5 stars. */
const histogram = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]);

/** Aggregates of an employer's published reviews, in addition to its averages. */
export const EmployerInsights = z.strictObject({
  employer_id: z.int(),
  total_reviews: z.int(),
  /** Histograms of the overall rating and of each category. */
  spread: z.strictObject({
    overall_rating: histogram,
    ...perCategory(() => histogram),
  }),
  would_recommend: z.strictObject({
    yes: z.int(),
    answered: z.int(),
    /** From 0 to 1, four decimals. Null if nobody answered. */
    share: average,
  }),
  /** To the minute. Null if there are no reviews. */
  newest_review_at: z.nullable(z.iso.datetime()),
  /** Only the reviews of the last `RECENT_MONTHS` months. */
  recent: z.strictObject({ total_reviews: z.int(), overall_rating: average }),
  /**
   * Reviewed positions, most common in the requested specialty first. They are the choices of the
   * filter `position_title`.
   */
  position_titles: z.array(z.strictObject({ title: z.string(), count: z.int() })),
  /** Reviewed specialties, most common first. They are the choices of the filter `specialty`. */
  specialties: z.array(z.strictObject({ specialty: z.string(), count: z.int() })),
  /** The reviews of the requested specialty; null if the request names none. */
  subgroup: z.nullable(
    z.strictObject({
      specialty: z.string(),
      total_reviews: z.int(),
      /** From 0 to 1. This and the averages are null below `REVIEWS_OF_SPECIALTY` reviews. */
      recommend_share: average,
      ...averages,
      /** The number of reviews that rate immigration support. */
      immigration_answers: z.int(),
    }),
  ),
});
export type EmployerInsights = z.infer<typeof EmployerInsights>;

/** A subset of an employer's reviews. The average is null below `REVIEWS_OF_SUBGROUP` reviews. */
const subgroup = { total_reviews: z.int(), overall_rating: average };

/** What a file says about an employer. */
const SourceRecord = z.strictObject({
  source: z.enum(Object.keys(EMPLOYER_SOURCES) as [EmployerSource, ...EmployerSource[]]),
  /** The date of the newest file that has it, and of the first that no longer does. */
  as_of: z.iso.date(),
  gone_on: z.nullable(z.iso.date()),
  /** Columns of `Employer`, and others such as `cms_stars`. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type SourceRecord = z.infer<typeof SourceRecord>;

/** `GET /employers/{id}/insights/`: what an employer's page shows besides its reviews. */
export const EmployerBrief = z.extend(EmployerInsights, {
  employer: Employer,
  /** The years (UTC) in which reviews were written, in order. */
  by_year: z.array(z.strictObject({ year: z.int(), ...subgroup })),
  by_employment: z.strictObject({
    current: z.strictObject(subgroup),
    former: z.strictObject(subgroup),
  }),
  /** Concerns that at least `REVIEWS_OF_CONCERN` reviews mention, most common first. */
  concerns: z.array(
    z.strictObject({
      concern: z.enum(CONCERN_KEYS),
      count: z.int(),
      /** How many mention it in each part. A review may do so in several. */
      pros: z.int(),
      cons: z.int(),
      summary: z.int(),
    }),
  ),
  /** What files say about the employer, by the order of `EMPLOYER_SOURCES`. */
  sources: z.array(SourceRecord),
  /** Employers of the same type in the same state, the same city first. */
  similar: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      city: z.nullable(z.string()),
      state: z.nullable(z.string()),
      total_reviews: z.int(),
      overall_rating: average,
    }),
  ),
});
export type EmployerBrief = z.infer<typeof EmployerBrief>;

export const ID_MESSAGE = 'Must be the id of an employer';

/** An employer's id in a path or query. */
export const EmployerId = queryInt(1, EMPLOYER_ID_MAX, ID_MESSAGE);

/** `GET /employers/{id}/insights/` */
export const InsightsQuery = z.strictObject({ specialty });

/** Body of a redirect from a merged employer's URL, with status 301 and `Location`. */
export const MergedEmployer = z.strictObject({ merged_into: z.int() });
export type MergedEmployer = z.infer<typeof MergedEmployer>;

/** Labels of letters, digits, and hyphens (RFC 1035, section 2.3.1), separated by dots. */
const DOMAIN = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,9}$/;

/**
 * Where an employer is that is given by its name. What is omitted is not compared; what is null or
 * blank is not known, so it only matches an employer without it.
 */
export const placeOfName = {
  city: z.optional(z.nullable(z.string().check(z.trim(), atMost(CHOICE_MAX), oneLine))),
  state: z.optional(
    z.nullable(
      z.string().check(
        z.trim(),
        z.toUpperCase(),
        z.refine((code) => code === '' || isState(code), STATE_MESSAGE),
      ),
    ),
  ),
};

/** Text with a visible letter of any script. Punctuation does not tell names apart, and -1 is no name. */
export const SomeName = z
  .string('Please enter a name')
  .check(
    z.trim(),
    z.minLength(2, { error: 'Please enter a name', abort: true }),
    z.regex(/(?!\p{Default_Ignorable_Code_Point})\p{L}(?<!\p{Lm})/u, 'Please enter a name'),
  );
export const EmployerName = SomeName.check(atMost(EMPLOYER_NAME_MAX), oneLine);
/** `POST /employers/custom/` */
export const CustomEmployerRequest = z.strictObject({ name: EmployerName, ...placeOfName });
export type CustomEmployerRequest = z.infer<typeof CustomEmployerRequest>;

/** An employer with the name that was given. `several_employers` lists up to CANDIDATES_MAX. */
export const EmployerCandidate = z.pick(Employer, {
  id: true,
  name: true,
  city: true,
  state: true,
  address: true,
});
export type EmployerCandidate = z.infer<typeof EmployerCandidate>;

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
/** Whether the domain or one of its parents belongs to an employer in the directory. */
export const MailDomain = z.strictObject({ is_employer: z.boolean() });
export type MailDomain = z.infer<typeof MailDomain>;
