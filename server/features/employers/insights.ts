import { sql } from 'kysely';
import { RECENT_MONTHS } from '#contract/employer-choices.ts';
import type { EmployerComparison, EmployerInsights } from '#contract/employers.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { type EmployerPosition, selectPositions } from '#server/features/reviews/service.ts';
import { currentIds, selectByIds } from './queries.ts';

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

export async function readInsights(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: number,
): Promise<EmployerInsights> {
  const insights = (await selectInsights(db, [id], clock())).get(id);
  if (!insights) throw new AppError('not_found');
  return insights;
}

/** What there is to compare employers by, in the order of `ids`; and the ids that are none. */
export async function compareEmployers(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  ids: readonly number[],
): Promise<EmployerComparison> {
  const current = await currentIds(db, ids);
  const known = [...new Set(ids.flatMap((id) => current.get(id) ?? []))];
  const [employers, insights] = await Promise.all([
    selectByIds(db, known),
    selectInsights(db, known, clock()),
  ]);
  return {
    results: employers.flatMap((employer) => {
      const found = insights.get(employer.id);
      return found ? [{ employer, insights: found }] : [];
    }),
    unknown_ids: ids.filter((id) => !current.has(id)),
  };
}

/** What the reviews of each of these employers add up to. The spreads are kept by a trigger. */
export async function selectInsights(
  db: Db,
  ids: readonly number[],
  now: Date,
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

function toInsights(ratings: Ratings, positions: EmployerPosition[]): EmployerInsights {
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
