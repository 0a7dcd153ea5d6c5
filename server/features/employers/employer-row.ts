import { type ExpressionBuilder, sql } from 'kysely';
import { EMPLOYER_TYPES, type Employer, type EmployerType } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

type Tables = ExpressionBuilder<DB, 'employers' | 'employer_ratings'>;

const average = (
  eb: Tables,
  sum: keyof DB['employer_ratings'],
  count: keyof DB['employer_ratings'],
) =>
  sql<number | null>`round(${eb.ref(`employer_ratings.${sum}`)}::numeric
    / nullif(${eb.ref(`employer_ratings.${count}`)}, 0), 2)`;

/** Employers with their averages, ready to be filtered and ordered. */
export const employersWithRatings = (db: Db) =>
  db
    .selectFrom('employers')
    .innerJoin('employer_ratings', 'employer_ratings.employer_id', 'employers.id');

export const employerColumns = (eb: Tables) =>
  [
    'employers.id',
    'employers.name',
    'employers.address',
    'employers.city',
    'employers.state',
    'employers.zip',
    'employers.phone',
    'employers.website',
    'employers.employer_type',
    'employers.specialty',
    'employers.ownership_type',
    'employers.bed_count',
    'employers.staff_count',
    'employers.trauma_level',
    'employers.has_helipad',
    'employers.hospital_status',
    'employers.source',
    'employers.created_at',
    'employer_ratings.total_reviews',
    'employer_ratings.overall_rating',
    average(eb, 'work_life_balance_sum', 'total_reviews').as('avg_work_life_balance_rating'),
    average(eb, 'mentorship_growth_sum', 'total_reviews').as('avg_mentorship_growth_rating'),
    average(eb, 'team_collaboration_sum', 'total_reviews').as('avg_team_collaboration_rating'),
    average(eb, 'compensation_benefits_sum', 'total_reviews').as(
      'avg_compensation_benefits_rating',
    ),
    average(eb, 'immigration_support_sum', 'immigration_support_count').as(
      'avg_immigration_support_rating',
    ),
  ] as const;

type EmployerRow = Omit<
  Employer,
  'employer_type' | 'employer_type_display' | 'trauma_level' | 'created_at' | 'user_submitted'
> & { employer_type: string; trauma_level: string | null; created_at: Date; source: string };

/** A row as the contract has it. */
export function toEmployer({ source, created_at, ...row }: EmployerRow): Employer {
  const employer_type = row.employer_type as EmployerType;
  return {
    ...row,
    employer_type,
    employer_type_display: EMPLOYER_TYPES[employer_type],
    trauma_level: row.trauma_level as Employer['trauma_level'],
    created_at: created_at.toISOString(),
    user_submitted: source === 'user',
  };
}
