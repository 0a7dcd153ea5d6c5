import * as z from 'zod/mini';
import { CONCERN_FILTERS } from '../concerns.ts';
import { atMost, textUpTo } from '../fields.ts';
import { CITIES_MAX, POSITION_TITLE_MAX, RATING_MAX, RATING_MIN } from '../limits.ts';
import { listQuery, queryBoolean, queryInt } from '../paging.ts';
import { REVIEW_ORDERING_KEYS } from '../review-choices.ts';
import { specialtyName } from './reviews.ts';

const choice = z.optional(textUpTo(POSITION_TITLE_MAX));
const specialty = z.optional(specialtyName);
const rating = (which: string) =>
  z.optional(
    queryInt(RATING_MIN, RATING_MAX, `${which} rating must be a whole number from 1 to 5`),
  );
const ratings = { min_rating: rating('Minimum'), max_rating: rating('Maximum') };
const ordering = z.optional(z.enum(REVIEW_ORDERING_KEYS, 'Unknown ordering'));

/** `GET /reviews/`. `city` accepts several, separated by commas. */
export const ReviewQuery = z.strictObject({
  ...listQuery,
  position_title: choice,
  specialty,
  state: choice,
  city: z.optional(z.string().check(atMost(CITIES_MAX))),
  ...ratings,
  would_recommend: z.optional(queryBoolean),
  is_current_employee: z.optional(queryBoolean),
  ordering,
});
export type ReviewQuery = z.infer<typeof ReviewQuery>;

/** `GET /employers/{id}/reviews/`. */
export const EmployerReviewsQuery = z.strictObject({
  ...listQuery,
  position_title: choice,
  specialty,
  concern: z.optional(z.enum(CONCERN_FILTERS, 'Unknown concern')),
  ...ratings,
  ordering,
});
export type EmployerReviewsQuery = z.infer<typeof EmployerReviewsQuery>;

const option = z.strictObject({ value: z.string(), label: z.string() });

/** `GET /reviews/filter_options/`. */
export const ReviewFilterOptions = z.strictObject({
  position_titles: z.array(z.string()),
  specialties: z.array(z.string()),
  states: z.array(z.string()),
  cities: z.array(z.string()),
  rating_options: z.array(option),
  recommendation_options: z.array(option),
  employment_status_options: z.array(option),
  total_reviews: z.int(),
});
export type ReviewFilterOptions = z.infer<typeof ReviewFilterOptions>;

/** `GET /physician-counts/?state=TX`: by state, so that the request does not reveal the city. */
export const PhysicianCountsQuery = z.strictObject({
  state: z.string('Must be a state').check(z.regex(/^[A-Z]{2}$/, 'Must be a state')),
});

/**
 * The active physicians of a state, from the imported NPI registry: `cityKey` -> Health Care
 * Provider Taxonomy code -> number. Empty if nothing is known about the state.
 */
export const PhysicianCounts = z.strictObject({
  cities: z.record(z.string(), z.record(z.string(), z.int())),
});
export type PhysicianCounts = z.infer<typeof PhysicianCounts>;

/** Words that addresses abbreviate. */
const SHORT: Readonly<Record<string, string>> = {
  SAINT: 'ST',
  SAINTE: 'STE',
  FORT: 'FT',
  MOUNT: 'MT',
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
};

/** "St. Louis" and "SAINT LOUIS" are one city: "ST LOUIS". */
export const cityKey = (city: string): string =>
  city
    .normalize('NFKD')
    .toUpperCase()
    .replace(/['’.\p{M}]/gu, '')
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
    .map((word) => SHORT[word] ?? word)
    .join(' ');
