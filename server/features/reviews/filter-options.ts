import { sql } from 'kysely';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import type { ReviewFilterOptions } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { countPublished } from './addresses.ts';

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

/** The specialties of published reviews. Skips from one to the next in the key of review_counts. */
async function selectSpecialties(db: Db): Promise<string[]> {
  const step = (after: string) => sql`
    select specialty from review_counts
    where position_key = '*' and specialty > ${sql.raw(after)} and specialty <> '*'
    order by specialty limit 1`;
  const { rows } = await sql<{ specialty: string }>`
    with recursive found as (
      (${step("''")})
      union all
      select next.specialty from found, lateral (${step('found.specialty')}) as next
    )
    select specialty from found order by public.fold(specialty)`.execute(db);
  return rows.map(({ specialty }) => specialty);
}

/** Each value as its newest review spells it. Skips from one value to the next in the index. */
async function distinct(db: Db, key: string, spelled: string): Promise<string[]> {
  const step = (after: string) => sql`
    select ${sql.ref(key)} as key, ${sql.ref(spelled)} as spelled from reviews
    where removed_reason is null and ${sql.ref(key)} > ${sql.raw(after)}
    order by ${sql.ref(key)}, created_at desc, id limit 1`;
  const { rows } = await sql<{ spelled: string }>`
    with recursive found as (
      (${step("''")})
      union all
      select next.key, next.spelled from found, lateral (${step('found.key')}) as next
    )
    select spelled from found order by public.fold(spelled), spelled`.execute(db);
  return rows.map((row) => row.spelled);
}
