import { sql } from 'kysely';
import { RECENT_MONTHS } from '#contract/employer-choices.ts';
import type { EmployerInsights } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';
import { type EmployerPosition, selectPositions } from '#server/features/reviews/service.ts';
import { ratio } from './ratio.ts';
import { type SpecialtySums, specialtySums, subgroupOf } from './specialties.ts';

type Histogram = EmployerInsights['spread']['overall_rating'];

/** Number of reviews by category and stars (server/db/migrations/0006-ratings.sql). */
interface Ratings {
  employer_id: number;
  stars: Record<string, Record<string, number>>;
  specialties: SpecialtySums[];
}

/** Aggregates of each employer's reviews. */
export async function selectInsights(
  db: Db,
  ids: readonly number[],
  now: Date,
  specialty?: string,
): Promise<Map<number, EmployerInsights>> {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - RECENT_MONTHS);
  const [ratings, positions] = await Promise.all([
    selectRatings(db, ids),
    selectPositions(db, ids, since),
  ]);
  return new Map(
    ratings.map((row) => [
      row.employer_id,
      toInsights(
        row,
        positions.filter(({ employer_id }) => employer_id === row.employer_id),
        specialty,
      ),
    ]),
  );
}

async function selectRatings(db: Db, ids: readonly number[]): Promise<Ratings[]> {
  const { rows } = await sql<Ratings>`
    select id as employer_id, coalesce(stars, '{}') as stars, ${specialtySums} as specialties
    from employers left join (
      select employer_id, json_object_agg(category, stars) as stars from (
        select employer_id, category, json_object_agg(stars, number) as stars
        from employer_stars where employer_id = any(${ids}::integer[])
        group by employer_id, category
      ) as by_category group by employer_id
    ) as given on employer_id = id
    where id = any(${ids}::integer[])`.execute(db);
  return rows;
}

function toInsights(
  { employer_id, stars, specialties }: Ratings,
  positions: EmployerPosition[],
  specialty?: string,
): EmployerInsights {
  const histogram = (category: string): Histogram => {
    const numbers = stars[category] ?? {};
    return [1, 2, 3, 4, 5].map((star) => numbers[star] ?? 0) as Histogram;
  };
  const overall = histogram('overall');
  const total_reviews = sumOf(overall);
  const recommended = stars['would_recommend']?.[1] ?? 0;
  const newest = Math.max(...positions.map((position) => position.newest.getTime()));
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
