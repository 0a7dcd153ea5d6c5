import { CATEGORIES } from '#contract/review-choices.ts';
import { type Ratings, ratingOf } from '#web/lib/legacy-ratings.ts';
import { Stars } from '#web/ui/stars.tsx';

/** The ratings of a review, in the order of the form. Immigration support is optional. */
export function categoryRatings(ratings: Ratings): { label: string; rating: number }[] {
  return CATEGORIES.flatMap(([category, label]) => {
    const rating = ratingOf(ratings, category);
    return rating ? [{ label, rating }] : [];
  });
}

/**
 * Laid out like a table of contents: the category, leader dots, stars, and the number. CSS draws the
 * dots and the number: a page has hundreds of them.
 */
export function CategoryRatings({ review }: { review: Ratings }) {
  return (
    <dl className="rating-list">
      {categoryRatings(review).map(({ label, rating }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-value={rating}>
            <Stars rating={rating} size="sm" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
