import * as z from 'zod/mini';
import { CONCERN_KEYS } from '../concerns.ts';
import { isEmployerId } from '../employers/employer-choices.ts';
import { placeOfName, SomeName } from '../employers/employers.ts';
import { atMost, oneLine, required, textUpTo } from '../fields.ts';
import { OwnLegalDemand } from '../legal-demands/legal-demands.ts';
import {
  EMPLOYER_NAME_MAX,
  POSITION_TITLE_MAX,
  RATING_MAX,
  RATING_MIN,
  REVIEW_TEXT_MAX,
  yearChoices,
} from '../limits.ts';
import { listQuery, pageOf, queryBoolean, searchedPageOf } from '../paging.ts';
import { PUBLISH_CHOICES, perCategory } from '../review-choices.ts';
import { SPECIALTY_NAMES } from '../specialties.ts';
import { OwnDecision } from './review-appeals.ts';
import { Reply } from './review-replies.ts';

/** The checks of the review form. The first one that fails is shown. */
export const REVIEW_CHECKS = {
  employer: 'Please select an employer',
  overall_rating: 'Please provide an overall rating',
  work_life_balance_rating: 'Please rate work-life balance',
  mentorship_growth_rating: 'Please rate mentorship & growth',
  team_collaboration_rating: 'Please rate team collaboration',
  compensation_benefits_rating: 'Please rate compensation & benefits',
  review_text: 'Please write a review summary',
  position_title: 'Please enter your position title',
  start_year: 'Please select your start year',
  would_recommend: 'Please indicate if you would recommend this employer',
  end_year: 'Please select an end year or check "I currently work here"',
} as const;

const rating = (message: string) =>
  z.int(message).check(z.minimum(RATING_MIN, message), z.maximum(RATING_MAX, message));

const longText = z._default(textUpTo(REVIEW_TEXT_MAX), '');

type YearField = (message: string) => z.ZodMiniInt;

/** One of the 30 years to choose from. */
const chosenYear =
  (now: () => Date): YearField =>
  (message) =>
    z.int(message).check(z.refine((value) => yearChoices(now()).includes(value), message));

/** An edited review may keep years that are no longer choices. The server knows which. */
const keptYear: YearField = (message) =>
  z.int(message).check(z.minimum(1900, message), z.maximum(2999, message));

const immigrationRating = z.optional(
  z.nullable(rating('Please rate immigration support from 1 to 5')),
);

/** One of the listed specialties. */
export const specialtyName = z.enum(SPECIALTY_NAMES, 'Please choose a specialty from the list');

/** In the order of REVIEW_CHECKS, so that the first issue is the one shown. */
const reviewFields = (year: YearField) => ({
  overall_rating: rating(REVIEW_CHECKS.overall_rating),
  work_life_balance_rating: rating(REVIEW_CHECKS.work_life_balance_rating),
  mentorship_growth_rating: rating(REVIEW_CHECKS.mentorship_growth_rating),
  team_collaboration_rating: rating(REVIEW_CHECKS.team_collaboration_rating),
  compensation_benefits_rating: rating(REVIEW_CHECKS.compensation_benefits_rating),
  review_text: required(REVIEW_CHECKS.review_text).check(atMost(REVIEW_TEXT_MAX)),
  position_title: required(REVIEW_CHECKS.position_title).check(atMost(POSITION_TITLE_MAX), oneLine),
  /** If omitted, it follows from the position title (specialty-of-title.ts). */
  specialty: z.optional(z.nullable(specialtyName)),
  start_year: year(REVIEW_CHECKS.start_year),
  would_recommend: z.boolean(REVIEW_CHECKS.would_recommend),
  /** Of a current job it is ignored. */
  end_year: z.optional(z.nullable(z.number(REVIEW_CHECKS.end_year))),
  is_current_employee: z._default(z.boolean(), false),
  immigration_support_rating: immigrationRating,
  pros: longText,
  cons: longText,
});

/** What an author writes. `reviews` and `scheduled_reviews` have a column for each. */
export type ReviewContentField = keyof ReturnType<typeof reviewFields>;
export const reviewContentFields = Object.keys(reviewFields(keptYear)) as ReviewContentField[];

interface YearSpan {
  start_year: number;
  end_year?: number | null | undefined;
  is_current_employee: boolean;
}

function yearsOf(year: YearField) {
  const endYear = year(REVIEW_CHECKS.end_year);
  return [
    z.refine<YearSpan>(
      (review) => review.is_current_employee || endYear.safeParse(review.end_year).success,
      { path: ['end_year'], error: REVIEW_CHECKS.end_year, abort: true },
    ),
    z.refine<YearSpan>(
      (review) => review.is_current_employee || Number(review.end_year) >= review.start_year,
      { path: ['end_year'], error: 'The end year must not be before the start year' },
    ),
  ] as const;
}

const newReview = (now: () => Date) =>
  z
    .strictObject({
      employer: z
        .string(REVIEW_CHECKS.employer)
        .check(
          z.trim(),
          z.minLength(1, REVIEW_CHECKS.employer),
          atMost(EMPLOYER_NAME_MAX),
          oneLine,
        ),
      is_custom_employer: z._default(queryBoolean, 'false'),
      ...placeOfName,
      ...reviewFields(chosenYear(now)),
      publish: z.optional(z.enum(PUBLISH_CHOICES, "Publish must be 'now' or 'later'")),
    })
    .check(...yearsOf(chosenYear(now)));

/** Empties an employer that is neither an id nor a name, so that its check is still the first. */
function withPossibleEmployer(review: z.input<ReturnType<typeof newReview>>) {
  const { employer, is_custom_employer } = Object(review);
  if (typeof employer !== 'string') return review;
  const isPossible =
    is_custom_employer === 'true'
      ? SomeName.safeParse(employer).success
      : isEmployerId(employer.trim());
  return isPossible ? review : { ...review, employer: '' };
}

/**
 * `POST /reviews/`. `employer` is an employer's id as text or, if `is_custom_employer` is 'true',
 * the name of an unlisted one, whose place may be given. `publish` defaults to 'now'.
 */
export const reviewRequest = (now: () => Date) =>
  z.pipe(z.transform(withPossibleEmployer), newReview(now));

/** `reviewRequest` with the local clock, for the form. */
export const ReviewRequest = reviewRequest(() => new Date());
export type ReviewRequest = z.infer<typeof ReviewRequest>;

/**
 * `PATCH /reviews/{id}/`: the whole form again. The employer cannot change, so its fields are
 * ignored.
 */
export const ReviewEditRequest = z
  .strictObject({
    employer: z.optional(z.string()),
    is_custom_employer: z.optional(queryBoolean),
    ...placeOfName,
    ...reviewFields(keptYear),
  })
  .check(...yearsOf(keptYear));
export type ReviewEditRequest = z.infer<typeof ReviewEditRequest>;

const storedRating = z.int().check(z.minimum(RATING_MIN), z.maximum(RATING_MAX));

/** A public review. Nothing in it identifies an account. */
export const Review = z.strictObject({
  id: z.uuid(),
  employer: z.strictObject({
    id: z.int(),
    name: z.string(),
    city: z.nullable(z.string()),
    state: z.nullable(z.string()),
  }),
  /** To the minute. */
  created_at: z.iso.datetime(),
  overall_rating: storedRating,
  ...perCategory(() => storedRating),
  immigration_support_rating: z.nullable(storedRating),
  review_text: z.string(),
  pros: z.string(),
  cons: z.string(),
  overall_experience: z.nullable(z.string()),
  position_title: z.string(),
  specialty: z.nullable(z.string()),
  employment_duration: z.string(),
  start_year: z.int(),
  end_year: z.nullable(z.int()),
  would_recommend: z.boolean(),
  is_current_employee: z.boolean(),
  helpful_count: z.int(),
  reply: z.optional(Reply),
});
export type Review = z.infer<typeof Review>;

export const ReviewPage = searchedPageOf(Review);

/** `GET /employers/{id}/reviews/` */
export const EmployerReviewPage = z.extend(ReviewPage, {
  /** Concerns that the search names, and how many of all reviews mention each. Absent without any. */
  concerns: z.optional(z.array(z.strictObject({ concern: z.enum(CONCERN_KEYS), count: z.int() }))),
  /** Words and phrases of the concern that filters the list. Absent without one. */
  concern_words: z.optional(z.array(z.string())),
});
export type EmployerReviewPage = z.infer<typeof EmployerReviewPage>;

/** A review as shown to its author and to moderators. */
export const ReviewRecord = z.extend(Review, {
  /** A moderator's reason for removing it; null if the review is published. */
  removed_reason: z.nullable(z.string()),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/**
 * A review as shown to its author.
 * - `scheduled`: goes live at `created_at`, and is hidden from others until then. If it creates its
 *   employer, the id is CUSTOM_EMPLOYER_ID.
 * - `held`: could not go live, because the author already had another review of this employer and
 *   position, screening found something, or a curator has rejected the employer. Editing schedules
 *   it again.
 */
export const OwnReview = z.extend(ReviewRecord, {
  status: z.enum(['published', 'scheduled', 'held']),
  decision: z.optional(OwnDecision),
  /** Legal demands about it, most recently received first, unless the law forbids telling. */
  legal_demands: z.optional(z.array(OwnLegalDemand)),
});
export type OwnReview = z.infer<typeof OwnReview>;
export const OwnReviews = z.array(OwnReview);

/** `GET /position-titles/`: the titles that the form suggests. */
export const PositionTitle = z.strictObject({ id: z.int(), title: z.string() });
export type PositionTitle = z.infer<typeof PositionTitle>;
export const PositionTitleQuery = z.strictObject(listQuery);
export const PositionTitlePage = pageOf(PositionTitle);
