import { sql } from 'kysely';
import type { EmployerBrief } from '#contract/employers.ts';
import { SIMILAR_EMPLOYERS } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { BEST_ESTABLISHED_FIRST } from './directory-query.ts';

/** Open employers of the same type in the same state, those of the same city first. */
export async function selectSimilar(db: Db, id: number): Promise<EmployerBrief['similar']> {
  const { rows } = await sql<EmployerBrief['similar'][number]>`
    select near.id, near.name, near.city, near.state, total_reviews, overall_rating
    from employers self
    join employers near on near.state = self.state and near.employer_type = self.employer_type
      and near.merged_into is null and near.id <> self.id
      and near.hospital_status is distinct from 'Closed'
    join employer_ratings on employer_id = near.id
    where self.id = ${id}
    order by near.city is not distinct from self.city desc, ${BEST_ESTABLISHED_FIRST.by}
    limit ${sql.lit(SIMILAR_EMPLOYERS)}`.execute(db);
  return rows;
}
