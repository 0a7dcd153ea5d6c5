import { sql } from 'kysely';
import { RECENT_MONTHS } from '#contract/employer-choices.ts';
import type { EmployerInsights } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';

type Spread = EmployerInsights['spread']['overall_rating'];

interface Ratings {
  employer_id: number;
  total_reviews: number;
  overall: Spread;
  work_life_balance: Spread;
  mentorship_growth: Spread;
  team_collaboration: Spread;
  compensation_benefits: Spread;
  immigration_support: Spread;
  recommended_count: number;
}

interface Position {
  employer_id: number;
  title: string;
  count: number;
  newest: Date;
  recent_count: number;
  recent_sum: number;
}

/** What the reviews of each of these employers add up to. The spreads are kept by a trigger. */
export async function selectInsights(
  db: Db,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, EmployerInsights>> {
  const [ratings, positions] = await Promise.all([
    selectRatings(db, ids),
    selectPositions(db, ids, now),
  ]);
  return new Map(
    ratings.map((row) => [
      row.employer_id,
      toInsights(
        row,
        positions.filter(({ employer_id }) => employer_id === row.employer_id),
      ),
    ]),
  );
}

async function selectRatings(db: Db, ids: readonly number[]): Promise<Ratings[]> {
  const { rows } = await sql<Ratings>`
    select employer_id, total_reviews, recommended_count,
      overall_spread as overall, work_life_balance_spread as work_life_balance,
      mentorship_growth_spread as mentorship_growth,
      team_collaboration_spread as team_collaboration,
      compensation_benefits_spread as compensation_benefits,
      immigration_support_spread as immigration_support
    from employer_ratings where employer_id = any(${ids}::integer[])
  `.execute(db);
  return rows;
}

/** The positions of an employer's reviews, from reviews_by_employer_position alone. */
async function selectPositions(db: Db, ids: readonly number[], now: Date): Promise<Position[]> {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - RECENT_MONTHS);
  const { rows } = await sql<Position>`
    select employer_id, min(position_title) as title, count(*), max(created_at) as newest,
      count(*) filter (where created_at >= ${since}) as recent_count,
      coalesce(sum(overall_rating) filter (where created_at >= ${since}), 0) as recent_sum
    from reviews
    where employer_id = any(${ids}::integer[]) and removed_reason is null
    group by employer_id, position_key
    order by count(*) desc, title
  `.execute(db);
  return rows;
}

function toInsights(ratings: Ratings, positions: Position[]): EmployerInsights {
  const { employer_id, total_reviews, recommended_count } = ratings;
  const newest = Math.max(...positions.map((position) => position.newest.getTime()));
  const recentCount = sumOf(positions.map(({ recent_count }) => recent_count));
  const recentStars = sumOf(positions.map(({ recent_sum }) => recent_sum));
  return {
    employer_id,
    total_reviews,
    spread: {
      overall_rating: ratings.overall,
      work_life_balance_rating: ratings.work_life_balance,
      mentorship_growth_rating: ratings.mentorship_growth,
      team_collaboration_rating: ratings.team_collaboration,
      compensation_benefits_rating: ratings.compensation_benefits,
      immigration_support_rating: ratings.immigration_support,
    },
    would_recommend: {
      yes: recommended_count,
      answered: total_reviews,
      share: ratio(recommended_count, total_reviews),
    },
    newest_review_at: positions.length > 0 ? new Date(newest).toISOString() : null,
    recent: { total_reviews: recentCount, overall_rating: ratio(recentStars, recentCount) },
    position_titles: positions.map(({ title, count }) => ({ title, count })),
  };
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
const ratio = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 100) / 100;
