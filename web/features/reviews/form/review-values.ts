import type { Employer } from '#contract/employers/employers.ts';
import {
  CATEGORIES,
  CUSTOM_EMPLOYER_ID,
  type PublishChoice,
  perCategory,
} from '#contract/review-choices.ts';
import type {
  Review,
  ReviewContentField,
  ReviewEditRequest,
  ReviewRequest,
} from '#contract/reviews/reviews.ts';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import { randomId } from '#web/lib/api.ts';
import { draftsOf } from '#web/lib/drafts.ts';
import { ratingOf } from '#web/lib/legacy-ratings.ts';
import { session } from '#web/lib/session.ts';
import { browserStorage, isRoomFor } from '#web/lib/store.ts';

export type EmployerChoice = Pick<Employer, 'id' | 'name' | 'city' | 'state'>;

export const customEmployer = (name: string): EmployerChoice => ({
  id: CUSTOM_EMPLOYER_ID,
  name,
  city: null,
  state: null,
});

export const isCustom = ({ id }: EmployerChoice) => id === CUSTOM_EMPLOYER_ID;

/** Unlisted employers have no id of their own. */
export const isSameEmployer = (one: EmployerChoice, other: EmployerChoice) =>
  one.id === other.id && (!isCustom(one) || one.name === other.name);

/** The form's initial values. A rating of 0 or an empty year is not set yet. */
export const EMPTY_REVIEW = {
  employer: null as EmployerChoice | null,
  /** The text in the employer field, even if nothing was chosen. */
  employer_search: '',
  /** Where a new employer is. */
  city: '',
  state: '',
  overall_rating: 0,
  ...perCategory(() => 0),
  review_text: '',
  pros: '',
  cons: '',
  position_title: '',
  /** If empty, the position title determines the specialty. */
  specialty: '',
  start_year: '',
  end_year: '',
  is_current_employee: false,
  would_recommend: null as boolean | null,
  publish: 'now' as PublishChoice,
} satisfies Record<ReviewContentField, unknown> & Record<string, unknown>;

export type ReviewValues = typeof EMPTY_REVIEW;

export function valuesOf(review: Review): ReviewValues {
  return {
    employer: review.employer,
    employer_search: review.employer.name,
    city: EMPTY_REVIEW.city,
    state: EMPTY_REVIEW.state,
    overall_rating: review.overall_rating,
    ...perCategory((category) => ratingOf(review, category) ?? 0),
    review_text: review.review_text,
    pros: review.pros,
    cons: review.cons,
    position_title: review.position_title,
    specialty: chosenSpecialty(review),
    start_year: String(review.start_year),
    end_year: String(review.end_year ?? ''),
    is_current_employee: review.is_current_employee,
    would_recommend: review.would_recommend,
    publish: EMPTY_REVIEW.publish,
  };
}

/** Empty if the position title implies the specialty, so that a different title changes it. */
const chosenSpecialty = ({ specialty, position_title }: Review) =>
  specialty === specialtyOfTitle(position_title) ? '' : (specialty ?? '');

/** The fields that are checked, in this order (docs/product/reviews.md, "Review checks"). */
export const REVIEW_FIELDS = [
  'employer',
  'city',
  'state',
  'overall_rating',
  ...CATEGORIES.map(([category]) => category),
  'review_text',
  'position_title',
  'specialty',
  'start_year',
  'would_recommend',
  'end_year',
  'pros',
  'cons',
] as const satisfies (keyof ReviewValues)[];
export type ReviewField = (typeof REVIEW_FIELDS)[number];

/** The request body for a new or edited review. */
export type SentReview = ReviewEditRequest & Pick<ReviewRequest, 'publish'>;

/** Stores what the user types in a form. */
export interface ReviewDraft {
  id: string;
  /** The values from an earlier visit. */
  restored: ReviewValues | null;
  /** Returns false if the storage is full. */
  save(values: ReviewValues): boolean;
  discard(): void;
}

const EDIT_PREFIX = 'edit-';

const drafts = (userId: string) => draftsOf<ReviewValues>(browserStorage, userId, Date.now);

/** Drafts of new reviews, latest first. */
export const unsentReviews = (userId: string) =>
  drafts(userId)
    .list()
    .filter(({ id }) => !id.startsWith(EDIT_PREFIX));

/** The latest draft for this employer or for none. If `wanted` is null, the latest of all. */
export function newReviewDraft(userId: string, wanted: EmployerChoice | null): ReviewDraft {
  const found = unsentReviews(userId).find(
    ({ values: { employer } }) => !wanted || !employer || isSameEmployer(employer, wanted),
  );
  return openDraft(userId, found?.id ?? randomId());
}

export const editDraft = (userId: string, reviewId: string) =>
  openDraft(userId, EDIT_PREFIX + reviewId);

export function openDraft(userId: string, id: string): ReviewDraft {
  const stored = drafts(userId).find(id);
  return {
    id,
    restored: stored && { ...EMPTY_REVIEW, ...stored.values },
    save(values) {
      // Do not save after a sign-out in another tab.
      if (session.owner() !== userId) return true;
      return isRoomFor(() => drafts(userId).save(id, values));
    },
    discard: () => drafts(userId).remove(id),
  };
}
