import { type Selectable, sql } from 'kysely';
import { CONCERN_KEYS, type ConcernFilter } from '#contract/concerns.ts';
import { RECENT_MONTHS } from '#contract/employers/employer-choices.ts';
import { EMPLOYER_SOURCES } from '#contract/employers/employer-sources.ts';
import type { EmployerBrief, EmployerInsights } from '#contract/employers/employers.ts';
import {
  REVIEWS_OF_CONCERN,
  REVIEWS_OF_SPECIALTY,
  REVIEWS_OF_SUBGROUP,
  SIMILAR_EMPLOYERS,
} from '#contract/limits.ts';
import { CATEGORIES, type CategoryRating, perCategory } from '#contract/review-choices.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { BEST_ESTABLISHED_FIRST } from '#server/features/employers/directory/directory-query.ts';
import type { EmployerPosition, FromReviews } from '#server/features/employers/from-reviews.ts';
import { distinctValues } from '#server/listing/list.ts';
import { EMPLOYER_COLUMNS, type EmployerRow, ratio, toEmployer } from '../employer-row.ts';

type WithoutRating<Name> = Name extends `${infer Start}_rating` ? Start : never;

/** The column of a category's sum, and its name in employer_stars. */
export const sumColumn = (category: CategoryRating) =>
  category.replace(/_rating$/, '') as WithoutRating<CategoryRating>;

/** Sums over an employer's reviews of a specialty (server/db/migrations/0006-changes.sql). */
type SpecialtySums = Pick<
  Selectable<DB['employer_specialties']>,
  (typeof SPECIALTY_COLUMNS)[number]
>;

export const SPECIALTY_COLUMNS = [
  'employer_id',
  'specialty',
  'total',
  'recommended',
  'overall',
  ...CATEGORIES.map(([category]) => sumColumn(category)),
  'immigration_answers',
] as const;

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
    ...perCategory((category) => average(sums?.[sumColumn(category)]), 'avg_'),
    avg_immigration_support_rating: average(
      sums?.immigration_support,
      immigration_answers < REVIEWS_OF_SPECIALTY ? 0 : immigration_answers,
    ),
    immigration_answers,
  };
}

type Histogram = EmployerInsights['spread']['overall_rating'];

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

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
const similarEmployers = sql`
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

/**
 * What an employer's page shows besides its reviews (docs/product/employers.md), and the id of the
 * employer it was merged into. Throws `not_found`, also for a rejected one.
 */
export async function readBrief(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  reviews: Pick<FromReviews, 'positions'>,
  id: number,
  specialty?: string,
): Promise<{ brief: EmployerBrief; merged_into: number | null }> {
  const found = await selectBrief(db, reviews, id, clock(), specialty ?? null);
  if (!found) throw new AppError('not_found');
  const { stars, specialties, positions, years, mentions, similar, sources, merged_into, ...row } =
    found;
  const histogram = (category: string) =>
    [1, 2, 3, 4, 5].map((star) => stars[category]?.[star] ?? 0) as Histogram;
  const overall = histogram('overall');
  const total_reviews = sumOf(overall);
  const recommended = stars['would_recommend']?.[1] ?? 0;
  const newest = Math.max(...positions.map((position) => Date.parse(position.newest)));
  const recentCount = sumOf(positions.map(({ recent_count }) => recent_count));
  const recentStars = sumOf(positions.map(({ recent_sum }) => recent_sum));
  const employed = (is: boolean) =>
    averageOf(years.filter(({ is_current_employee }) => is_current_employee === is));
  const brief = {
    employer: toEmployer(row),
    employer_id: row.id,
    total_reviews,
    spread: {
      overall_rating: overall,
      ...perCategory((category) => histogram(sumColumn(category))),
    },
    would_recommend: {
      yes: recommended,
      answered: total_reviews,
      share: ratio(recommended, total_reviews),
    },
    newest_review_at: positions.length > 0 ? new Date(newest).toISOString() : null,
    recent: { total_reviews: recentCount, overall_rating: ratio(recentStars, recentCount) },
    position_titles: positions.map(({ title, count }) => ({ title, count })),
    specialties: specialties.map((one) => ({ specialty: one.specialty, count: one.total })),
    subgroup: specialty === undefined ? null : subgroupOf(specialties, specialty),
    by_year: [...new Set(years.map(({ year }) => year))].map((year) => ({
      year,
      ...averageOf(years.filter((one) => one.year === year)),
    })),
    by_employment: { current: employed(true), former: employed(false) },
    concerns: concernsOf(mentions),
    sources,
    similar,
  };
  return { brief, merged_into };
}

const SOURCES = Object.keys(EMPLOYER_SOURCES);

interface YearSums {
  year: number;
  is_current_employee: boolean;
  total: number;
  overall: number;
}

interface BriefRow extends EmployerRow, Pick<EmployerBrief, 'similar' | 'sources'> {
  merged_into: number | null;
  /** Number of reviews by category and stars. */
  stars: Record<string, Record<string, number>>;
  /** Most common first. */
  specialties: SpecialtySums[];
  positions: EmployerPosition[];
  years: YearSums[];
  /** Number of reviews by concern, and by part and concern. */
  mentions: Partial<Record<ConcernFilter, number>>;
}

/**
 * Everything in one query: what triggers maintain, and views of the employer's reviews
 * (server/db/migrations/0006-changes.sql).
 */
async function selectBrief(
  db: Db,
  reviews: Pick<FromReviews, 'positions'>,
  id: number,
  now: Date,
  specialty: string | null,
): Promise<BriefRow | undefined> {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - RECENT_MONTHS);
  const { rows } = await sql<BriefRow>`
    select ${sql.join(EMPLOYER_COLUMNS.map((column) => sql.ref(column)))}, merged_into,
      (select coalesce(json_object_agg(category, stars), '{}') from (
        select category, json_object_agg(stars, number) as stars
        from employer_stars where employer_id = employers.id group by category
      ) as by_category) as stars,
      (select coalesce(json_agg(sums order by total desc, specialty), '[]')
        from employer_specialties sums where sums.employer_id = employers.id) as specialties,
      ${reviews.positions(since, specialty)} as positions,
      (select coalesce(json_agg(json_build_object('year', year,
          'is_current_employee', is_current_employee, 'total', total, 'overall', overall)
          order by year), '[]')
        from employer_years where employer_id = employers.id) as years,
      (select coalesce(json_object_agg(concern, total), '{}')
        from employer_concerns where employer_id = employers.id) as mentions,
      (select coalesce(json_agg(json_build_object('source', record.source, 'as_of', as_of,
          'gone_on', gone_on, 'facts', facts)
          order by array_position(${SOURCES}::text[], record.source), value), '[]')
        from employer_identifiers known join employer_records record using (scheme, value)
        where known.employer_id in (
          select employers.id union all select id from employers other
          where other.merged_into = employers.id)) as sources,
      (select coalesce(json_agg(nearby), '[]') from (${similarEmployers}) as nearby) as similar
    from employers join employer_ratings on employer_ratings.employer_id = employers.id
    where employers.id = ${id} and rejected_for is null`.execute(db);
  return rows[0];
}

/** The most common first. */
function concernsOf(mentions: BriefRow['mentions']): EmployerBrief['concerns'] {
  const of = (filter: ConcernFilter) => mentions[filter] ?? 0;
  return CONCERN_KEYS.filter((concern) => of(concern) >= REVIEWS_OF_CONCERN)
    .map((concern) => ({
      concern,
      count: of(concern),
      pros: of(`pros-${concern}`),
      cons: of(`cons-${concern}`),
      summary: of(`summary-${concern}`),
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** A few reviews have no average, which would reveal each of them. */
function averageOf(sums: readonly YearSums[]) {
  const total = sumOf(sums.map((one) => one.total));
  const overall = sumOf(sums.map((one) => one.overall));
  return {
    total_reviews: total,
    overall_rating: total < REVIEWS_OF_SUBGROUP ? null : ratio(overall, total),
  };
}
