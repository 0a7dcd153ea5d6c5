/** Ratings, texts, orders, and filters of reviews. No schemas, so that lists load without zod. */

/** The four required categories and the optional fifth, in display order. */
export const CATEGORY_RATINGS = {
  work_life_balance_rating: 'Work-life balance',
  mentorship_growth_rating: 'Mentorship & growth',
  team_collaboration_rating: 'Team collaboration',
  compensation_benefits_rating: 'Compensation & benefits',
  immigration_support_rating: 'Immigration support',
} as const;
export type CategoryRating = keyof typeof CATEGORY_RATINGS;
export const CATEGORIES = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];

/** A value for each category, in their order, under its name after a prefix: 'avg_' for averages. */
export const perCategory = <T, Prefix extends string = ''>(
  make: (category: CategoryRating, label: string) => T,
  prefix = '' as Prefix,
) =>
  Object.fromEntries(
    CATEGORIES.map(([category, label]) => [prefix + category, make(category, label)]),
  ) as Record<`${Prefix}${CategoryRating}`, T>;

/**
 * The texts of a review, in display order, with their labels. They are screened, and never logged.
 */
export const REVIEW_TEXTS = {
  review_text: 'Review Summary',
  pros: 'Pros',
  cons: 'Cons',
} as const;
export type ReviewText = keyof typeof REVIEW_TEXTS;
export const REVIEW_TEXT_KEYS = Object.keys(REVIEW_TEXTS) as ReviewText[];

/** Sort orders of the public list, default first. Without one, a search sorts by best match. */
export const REVIEW_ORDERINGS = {
  '-created_at': 'Most recent',
  created_at: 'Oldest first',
  '-overall_rating': 'Highest rated',
  overall_rating: 'Lowest rated',
  '-helpful': 'Most helpful',
} as const;
export type ReviewOrdering = keyof typeof REVIEW_ORDERINGS;
export const REVIEW_ORDERING_KEYS = Object.keys(REVIEW_ORDERINGS) as [
  ReviewOrdering,
  ...ReviewOrdering[],
];

/** When to publish a review: immediately, or at a random minute within `PUBLISH_LATER_DAYS` days. */
export const PUBLISH_CHOICES = ['now', 'later'] as const;
export type PublishChoice = (typeof PUBLISH_CHOICES)[number];

/** The id of an employer that is not in the directory yet. */
export const CUSTOM_EMPLOYER_ID = -1;

/** Filters of the list, besides the places and positions that occur in reviews. */
export const REVIEW_FILTER_CHOICES = {
  min_rating: [
    { value: '4', label: '4+ stars' },
    { value: '3', label: '3+ stars' },
    { value: '2', label: '2+ stars' },
    { value: '1', label: '1+ stars' },
  ],
  max_rating: [
    { value: '3', label: 'Up to 3 stars' },
    { value: '2', label: 'Up to 2 stars' },
    { value: '1', label: '1 star' },
  ],
  would_recommend: [
    { value: 'true', label: 'Recommended' },
    { value: 'false', label: 'Not recommended' },
  ],
  is_current_employee: [
    { value: 'true', label: 'Current employees' },
    { value: 'false', label: 'Former employees' },
  ],
} as const;

export const choiceLabel = (name: keyof typeof REVIEW_FILTER_CHOICES) => (value: string) =>
  REVIEW_FILTER_CHOICES[name].find((choice) => choice.value === value)?.label ?? value;

/** Texts on the pages of the user's own reviews. */
export const REVIEW_MESSAGES = {
  ownFailed: 'Failed to load your reviews.',
  ownForbidden: 'You need a verified doctor profile to view reviews. Please contact support.',
  editFailed: 'Failed to load review data. Please try again.',
  confirmDelete: 'Are you sure you want to delete this review? This action cannot be undone.',
  deleted: 'Review deleted successfully',
  deleteFailed: 'Failed to delete review. Please try again.',
  confirmTakeBack:
    'Withdraw this review? It will not be published, and its text will be deleted. This action cannot be undone.',
  takenBack: 'Your review was withdrawn. It will not be published.',
  takeBackFailed: 'Failed to withdraw the review. Please try again.',
  confirmPublish: 'Publish this review now? Everyone will see that it was posted at this time.',
  published: 'Your review is now live.',
  appealEmpty: 'Please say why the decision is wrong',
  publishFailed: 'Failed to publish review. Please try again.',
} as const;
