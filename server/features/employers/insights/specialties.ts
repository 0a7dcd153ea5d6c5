import { type Selectable, sql } from 'kysely';
import type { EmployerInsights } from '#contract/employers/employers.ts';
import { REVIEWS_OF_SPECIALTY } from '#contract/limits.ts';
import { CATEGORIES, type CategoryRating, perCategory } from '#contract/review-choices.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import { ratio } from '#server/features/employers/ratio.ts';
import { distinctValues } from '#server/listing/distinct-values.ts';

type WithoutRating<Name> = Name extends `${infer Start}_rating` ? Start : never;

/** The column of a category's sum, and its name in employer_stars. */
export const sumOfCategory = (category: CategoryRating) =>
  category.replace(/_rating$/, '') as WithoutRating<CategoryRating>;

/** Sums over an employer's reviews of a specialty (server/db/migrations/0006-changes.sql). */
export type SpecialtySums = Pick<
  Selectable<DB['employer_specialties']>,
  (typeof SPECIALTY_COLUMNS)[number]
>;

export const SPECIALTY_COLUMNS = [
  'employer_id',
  'specialty',
  'total',
  'recommended',
  'overall',
  ...CATEGORIES.map(([category]) => sumOfCategory(category)),
  'immigration_answers',
] as const;

/** The specialties of an employer's reviews, most common first. */
export const specialtySums = sql`(
  select coalesce(json_agg(sums order by total desc, specialty), '[]')
  from employer_specialties sums where sums.employer_id = employers.id)`;

/** The number of reviews of one specialty at each of these employers. Those without are absent. */
export async function countReviewsOfSpecialty(
  db: Db,
  specialty: string,
  employers: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('employer_specialties')
    .select(['employer_id', 'total'])
    .where('employer_id', '=', anyOf('integer', employers))
    .where('specialty', '=', specialty)
    .execute();
  return new Map(rows.map(({ employer_id, total }) => [employer_id, total]));
}

/** The choices of the directory's filter, from employer_specialties_by_specialty. */
export const selectSpecialtyChoices = (db: Db): Promise<string[]> =>
  distinctValues(
    db,
    (after) => sql`
      select specialty as key, specialty as value from employer_specialties
      where specialty > ${after} order by specialty limit 1`,
  );

/** The reviews of one specialty. A few reviews have no averages, which would reveal each of them. */
export function subgroupOf(
  all: readonly SpecialtySums[],
  specialty: string,
): NonNullable<EmployerInsights['subgroup']> {
  const sums = all.find((one) => one.specialty === specialty);
  const total = sums?.total ?? 0;
  const immigration_answers = sums?.immigration_answers ?? 0;
  const average = (sum: number | undefined, answers = total) =>
    total < REVIEWS_OF_SPECIALTY ? null : ratio(sum ?? 0, answers);
  return {
    specialty,
    total_reviews: total,
    recommend_share: average(sums?.recommended),
    overall_rating: average(sums?.overall),
    ...perCategory((category) => average(sums?.[sumOfCategory(category)]), 'avg_'),
    avg_immigration_support_rating: average(
      sums?.immigration_support,
      immigration_answers < REVIEWS_OF_SPECIALTY ? 0 : immigration_answers,
    ),
    immigration_answers,
  };
}
