import * as z from 'zod/mini';
import { SEARCH_MAX, SUGGEST_FROM } from '../limits.ts';
import { SPECIALTY_NAMES } from '../specialties.ts';

/** `GET /suggestions/`: what a search box suggests for the text in it. */
export const SuggestionQuery = z.strictObject({
  search: z
    .string('Please enter a search')
    .check(
      z.trim(),
      z.minLength(SUGGEST_FROM, `Search must be at least ${SUGGEST_FROM} characters`),
      z.maxLength(SEARCH_MAX, `Search must be at most ${SEARCH_MAX} characters`),
    ),
});

const SuggestedEmployer = z.strictObject({
  id: z.int(),
  name: z.string(),
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  overall_rating: z.nullable(z.number()),
  total_reviews: z.int(),
});

/** A city that the search names. */
const SuggestedPlace = z.strictObject({ city: z.string(), state: z.string() });

const SuggestedReview = z.strictObject({
  id: z.uuid(),
  employer_name: z.string(),
  position_title: z.string(),
  overall_rating: z.int(),
  /** A few words around the first search match. */
  excerpt: z.string(),
});

/** The first matches of each kind. */
export const Suggestions = z.strictObject({
  /** Nothing matches the search exactly: these are the closest matches. */
  is_closest: z.boolean(),
  /** If the search asks for a place: the one that is meant, then others of that name. */
  places: z.array(SuggestedPlace),
  employers: z.array(SuggestedEmployer),
  /** With the number of their reviews, as for position titles. */
  specialties: z.array(z.strictObject({ specialty: z.enum(SPECIALTY_NAMES), count: z.int() })),
  position_titles: z.array(z.strictObject({ title: z.string(), count: z.int() })),
  reviews: z.array(SuggestedReview),
});
export type Suggestions = z.infer<typeof Suggestions>;
