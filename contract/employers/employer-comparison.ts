import * as z from 'zod/mini';
import { perCategory } from '../review-choices.ts';
import { COMPARE_MAX, COMPARE_MIN } from './employer-choices.ts';
import { Employer, EmployerId, ID_MESSAGE, specialty } from './employers.ts';

const COMPARE_MESSAGE = `Please choose from ${COMPARE_MIN} to ${COMPARE_MAX} employers`;
const ID_LIST_MESSAGE = 'Must be ids of employers with commas between them';

/** `GET /employers/compare/?ids=1,2,3`. Duplicate ids count once. */
export const CompareQuery = z.strictObject({
  specialty,
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

/** An average, or for `would_recommend` a share from 0 to 1, and the number of reviews behind it. */
const figure = z.strictObject({
  /** Four decimals. Null without reviews, and below `REVIEWS_OF_SPECIALTY` of one specialty. */
  value: z.nullable(z.number()),
  reviews: z.int(),
});
export type Figure = z.infer<typeof figure>;

/** What a review says for or against its employer. */
const quote = z.strictObject({ review_id: z.uuid(), excerpt: z.string() });
export type Quote = z.infer<typeof quote>;

/** An employer and its published reviews; with `specialty`, only reviews of that specialty. */
export const ComparedEmployer = z.strictObject({
  employer: z.pick(Employer, {
    id: true,
    name: true,
    city: true,
    state: true,
    employer_type_display: true,
    ownership_type: true,
    bed_count: true,
    trauma_level: true,
  }),
  figures: z.strictObject({
    overall_rating: figure,
    ...perCategory(() => figure),
    would_recommend: figure,
  }),
  /** A day. Null without reviews. */
  newest_review_on: z.nullable(z.iso.date()),
  /** The first one found in the `QUOTED_FROM` most helpful reviews; null if none has one. */
  pro: z.nullable(quote),
  con: z.nullable(quote),
});
export type ComparedEmployer = z.infer<typeof ComparedEmployer>;

/** In the order of the request. A merged id returns the employer it was merged into. */
export const EmployerComparison = z.strictObject({
  results: z.array(ComparedEmployer),
  unknown_ids: z.array(z.int()),
  /** The specialties of these employers' reviews, in alphabetical order. */
  specialties: z.array(z.string()),
});
export type EmployerComparison = z.infer<typeof EmployerComparison>;
