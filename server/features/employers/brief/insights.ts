import { sql } from 'kysely';
import { RECENT_MONTHS } from '#contract/employer-choices.ts';
import type { EmployerInsights } from '#contract/employers.ts';
import type { EmployerPosition, FromReviews } from '#server/features/employers/from-reviews.ts';
import { ratio } from '#server/features/employers/ratio.ts';
import { type SpecialtySums, specialtySums, subgroupOf } from './specialties.ts';

type Histogram = EmployerInsights['spread']['overall_rating'];

/** An employer, and the data behind its insights. */
export interface InsightsRow {
  employer_id: number;
  /** Number of reviews by category and stars (server/db/migrations/0004-employer-ratings.sql). */
  stars: Record<string, Record<string, number>>;
  specialties: SpecialtySums[];
  positions: EmployerPosition[];
}

/** The columns of an InsightsRow, for the employer `employers` in the enclosing query. */
export function insightsColumns(
  { positions }: Pick<FromReviews, 'positions'>,
  now: Date,
  specialty: string | null,
) {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - RECENT_MONTHS);
  return sql`
    employers.id as employer_id,
    (select coalesce(json_object_agg(category, stars), '{}') from (
      select category, json_object_agg(stars, number) as stars
      from employer_stars where employer_id = employers.id group by category
    ) as by_category) as stars,
    ${specialtySums} as specialties,
    ${positions(since, specialty)} as positions`;
}

/** Aggregates of an employer's reviews. */
export function toInsights(
  { employer_id, stars, specialties, positions }: InsightsRow,
  specialty?: string,
): EmployerInsights {
  const histogram = (category: string): Histogram => {
    const numbers = stars[category] ?? {};
    return [1, 2, 3, 4, 5].map((star) => numbers[star] ?? 0) as Histogram;
  };
  const overall = histogram('overall');
  const total_reviews = sumOf(overall);
  const recommended = stars['would_recommend']?.[1] ?? 0;
  const newest = Math.max(...positions.map((position) => Date.parse(position.newest)));
  const recentCount = sumOf(positions.map(({ recent_count }) => recent_count));
  const recentStars = sumOf(positions.map(({ recent_sum }) => recent_sum));
  return {
    employer_id,
    total_reviews,
    spread: {
      overall_rating: overall,
      work_life_balance_rating: histogram('work_life_balance'),
      mentorship_growth_rating: histogram('mentorship_growth'),
      team_collaboration_rating: histogram('team_collaboration'),
      compensation_benefits_rating: histogram('compensation_benefits'),
      immigration_support_rating: histogram('immigration_support'),
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
  };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
