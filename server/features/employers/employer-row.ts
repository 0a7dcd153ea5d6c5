import { type SqlBool, sql } from 'kysely';
import { EMPLOYER_TYPES, type EmployerType } from '#contract/employers/employer-choices.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { CATEGORIES } from '#contract/review-choices.ts';
import type { Db } from '#server/db/open.ts';

/** Employers with their ratings. Every employer has a row of ratings. */
export const employersWithRatings = (db: Db) =>
  db
    .selectFrom('employers')
    .innerJoin('employer_ratings', 'employer_ratings.employer_id', 'employers.id');

/** The directory has neither merged nor rejected employers. */
export const LISTED = sql<SqlBool>`(merged_into is null and rejected_for is null)`;

/** How many other names of an employer are kept (employers_aliases_check). */
export const ALIASES_MAX = 20;

export const EMPLOYER_COLUMNS = [
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
  ...CATEGORIES.map(([category]) => `employer_ratings.avg_${category}` as const),
] as const;

export type EmployerRow = Omit<
  Employer,
  'employer_type' | 'employer_type_display' | 'trauma_level' | 'created_at' | 'user_submitted'
> & {
  employer_type: string;
  trauma_level: string | null;
  created_at: Date;
  source: string;
};

/** Maps a row to the contract. */
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

/** Four decimals, so that rounding again to one decimal is correct; null if `whole` is 0. */
export const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
