import { sql } from 'kysely';
import { SIMILAR_EMPLOYERS } from '#contract/limits.ts';
import { BEST_ESTABLISHED_FIRST } from '#server/features/employers/directory/directory-query.ts';

const PROGRAMS = ['residency', 'fellowship'];

/** A program's name up to its specialty: "Larkmoor University" Internal Medicine Residency. */
const institution = (of: 'near' | 'employers') => {
  const [name, specialty] = [sql.ref(`${of}.name`), sql.ref(`${of}.specialty`)];
  return sql`split_part(lower(${name}), lower(${specialty}), 1)`;
};

/**
 * Open employers of the same type and state as the employer `employers` in the enclosing query. To a
 * residency or fellowship, both types are similar, and those of its institution come first. Then
 * come those of the same city.
 */
export const similarEmployers = sql`
  select near.id, near.name, near.city, near.state, total_reviews, overall_rating
  from employers near join employer_ratings on employer_id = near.id
  where near.state = employers.state and (
      near.employer_type = employers.employer_type or (
        near.employer_type = any(${sql.lit(`{${PROGRAMS}}`)}::text[])
        and employers.employer_type = any(${sql.lit(`{${PROGRAMS}}`)}::text[])
      )
    )
    and near.merged_into is null and near.rejected_for is null and near.id <> employers.id
    and near.hospital_status is distinct from 'Closed'
  order by ${institution('near')} is not distinct from ${institution('employers')}
      and near.specialty is not null desc,
    near.city is not distinct from employers.city desc, ${BEST_ESTABLISHED_FIRST.by}
  limit ${sql.lit(SIMILAR_EMPLOYERS)}`;
