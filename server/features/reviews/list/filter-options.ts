import { sql } from 'kysely';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import type { ReviewFilterOptions } from '#contract/review-queries.ts';
import type { Db } from '#server/db/open.ts';
import { distinctValues } from '#server/listing/distinct-values.ts';
import { countPublished } from './sitemap-queries.ts';

/** The choices of the list's filters, from the published reviews. */
export async function selectFilterOptions(db: Db): Promise<ReviewFilterOptions> {
  const [position_titles, specialties, states, cities, total_reviews] = await Promise.all([
    distinct(db, 'position_key', 'position_title'),
    selectSpecialties(db),
    distinct(db, 'employer_state', 'employer_state'),
    distinct(db, 'city_key', 'employer_city'),
    countPublished(db),
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

/** From the key of review_counts. */
const selectSpecialties = (db: Db) =>
  distinctValues(
    db,
    (after) => sql`
      select specialty as key, specialty as value from review_counts
      where position_key = '*' and specialty > ${after} and specialty <> '*'
      order by specialty limit 1`,
  );

/** Each value, spelled as in its newest review. */
const distinct = (db: Db, key: string, spelled: string) =>
  distinctValues(
    db,
    (after) => sql`
      select ${sql.ref(key)} as key, ${sql.ref(spelled)} as value from reviews
      where removed_reason is null and ${sql.ref(key)} > ${after}
      order by ${sql.ref(key)}, created_at desc, id limit 1`,
  );
