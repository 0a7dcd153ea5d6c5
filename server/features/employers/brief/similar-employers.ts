import { sql } from 'kysely';
import { SIMILAR_EMPLOYERS } from '#contract/limits.ts';
import { BEST_ESTABLISHED_FIRST } from '#server/features/employers/directory/directory-query.ts';

/**
 * Open employers of the same type and state as the employer `employers` in the enclosing query, the
 * same city first.
 */
export const similarEmployers = sql`
  select near.id, near.name, near.city, near.state, total_reviews, overall_rating
  from employers near join employer_ratings on employer_id = near.id
  where near.state = employers.state and near.employer_type = employers.employer_type
    and near.merged_into is null and near.id <> employers.id
    and near.hospital_status is distinct from 'Closed'
  order by near.city is not distinct from employers.city desc, ${BEST_ESTABLISHED_FIRST.by}
  limit ${sql.lit(SIMILAR_EMPLOYERS)}`;
