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
