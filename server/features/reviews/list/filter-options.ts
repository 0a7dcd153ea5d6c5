import { sql } from 'kysely';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import type { ReviewFilterOptions } from '#contract/reviews/review-queries.ts';
import type { Db } from '#server/db/open.ts';
import { countAllReviews, selectReviewedCities } from '#server/features/employers/queries.ts';
import { distinctValues } from '#server/listing/distinct-values.ts';

/** The choices of the list's filters, from the published reviews. */
export async function selectFilterOptions(db: Db): Promise<ReviewFilterOptions> {
  const [position_titles, specialties, states, cities, total_reviews] = await Promise.all([
    selectPositionTitles(db),
    distinct(db, 'specialty'),
    distinct(db, 'employer_state'),
    selectReviewedCities(db),
    countAllReviews(db),
  ]);
  return {
    position_titles,
    specialties,
    states,
    cities,
    total_reviews,
    rating_options: [...REVIEW_FILTER_CHOICES.min_rating],
    recommendation_options: [...REVIEW_FILTER_CHOICES.would_recommend],
    employment_status_options: [...REVIEW_FILTER_CHOICES.is_current_employee],
  };
}

/** The first column of reviews_by_specialty or reviews_by_state. */
const distinct = (db: Db, column: 'specialty' | 'employer_state') =>
  distinctValues(
    db,
    (after) => sql`
      select ${sql.ref(column)} as key, ${sql.ref(column)} as value from reviews
      where removed_reason is null and ${sql.ref(column)} > ${after}
      order by ${sql.ref(column)} limit 1`,
  );

/** Each title, spelled as in its newest review (reviews_by_position). */
const selectPositionTitles = (db: Db) =>
  distinctValues(
    db,
    (after) => sql`
      select position_key as key, position_title as value from reviews
      where removed_reason is null and position_key > ${after}
      order by position_key, created_at desc, id limit 1`,
  );
