import { sql } from 'kysely';
import type {
  ComparedEmployer,
  EmployerComparison,
} from '#contract/employers/employer-comparison.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { perCategory } from '#contract/review-choices.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { ratio } from '#server/features/employers/employer-row.ts';
import type { FromReviews } from '#server/features/employers/from-reviews.ts';
import {
  SPECIALTY_COLUMNS,
  subgroupOf,
  sumColumn,
} from '#server/features/employers/insights/brief.ts';
import { listedIds, selectByIds } from '#server/features/employers/queries.ts';

type Figures = ComparedEmployer['figures'];

/** The employers in the order of `ids`, and the ids that do not exist. */
export async function compareEmployers(
  db: Db,
  { quotes: selectQuotes }: Pick<FromReviews, 'quotes'>,
  ids: readonly number[],
  specialty: string | null = null,
): Promise<EmployerComparison> {
  const current = await listedIds(db, ids);
  const known = [...new Set(ids.flatMap((id) => current.get(id) ?? []))];
  const [employers, figuresOf, quotes, specialties] = await Promise.all([
    selectByIds(db, known),
    specialty === null ? selectAnswers(db, known) : selectSums(db, known, specialty),
    selectQuotes(db, known, specialty),
    selectSpecialtyNames(db, known),
  ]);
  return {
    results: employers.map((employer) => {
      const { newest, pro = null, con = null } = quotes.get(employer.id) ?? {};
      return {
        employer: shown(employer),
        figures: figuresOf(employer),
        newest_review_on: newest ? toDay(newest) : null,
        pro,
        con,
      };
    }),
    unknown_ids: ids.filter((id) => !current.has(id)),
    specialties,
  };
}

const shown = ({
  id,
  name,
  city,
  state,
  employer_type_display,
  ownership_type,
  bed_count,
  trauma_level,
}: Employer): ComparedEmployer['employer'] => ({
  id,
  name,
  city,
  state,
  employer_type_display,
  ownership_type,
  bed_count,
  trauma_level,
});

interface Answers {
  employer_id: number;
  /** How many reviews answered each question: `work_life_balance`, `would_recommend`. */
  answers: Record<string, number>;
  recommended: number;
}

/** Figures from all reviews: the employer's averages, and the number of reviews behind each. */
async function selectAnswers(db: Db, ids: readonly number[]) {
  const { rows } = await sql<Answers>`
    select employer_id, json_object_agg(category, answers) as answers,
      coalesce(sum(yes), 0)::integer as recommended
    from (
      select employer_id, category, sum(number)::integer as answers,
        sum(number) filter (where category = 'would_recommend' and stars = 1)::integer as yes
      from employer_stars where employer_id = any(${ids}::integer[])
      group by employer_id, category
    ) as by_category group by employer_id
  `.execute(db);
  return (employer: Employer): Figures => {
    const found = rows.find(({ employer_id }) => employer_id === employer.id);
    const reviewsOf = (category: string) => found?.answers[category] ?? 0;
    const all = reviewsOf('would_recommend');
    return {
      ...perCategory((category) => ({
        value: employer[`avg_${category}`],
        reviews: reviewsOf(sumColumn(category)),
      })),
      overall_rating: { value: employer.overall_rating, reviews: reviewsOf('overall') },
      would_recommend: { value: ratio(found?.recommended ?? 0, all), reviews: all },
    };
  };
}

/** Figures from the reviews of one specialty. */
async function selectSums(db: Db, ids: readonly number[], specialty: string) {
  const rows = await db
    .selectFrom('employer_specialties')
    .select(SPECIALTY_COLUMNS)
    .where('employer_id', '=', anyOf('integer', ids))
    .where('specialty', '=', specialty)
    .execute();
  return ({ id }: Employer): Figures => {
    const sums = rows.filter(({ employer_id }) => employer_id === id);
    const { recommend_share, overall_rating, immigration_answers, ...averages } = subgroupOf(
      sums,
      specialty,
    );
    const { total_reviews: reviews } = averages;
    return {
      ...perCategory((category) => ({
        value: averages[`avg_${category}`],
        reviews: category === 'immigration_support_rating' ? immigration_answers : reviews,
      })),
      overall_rating: { value: overall_rating, reviews },
      would_recommend: { value: recommend_share, reviews },
    };
  };
}

/** From the primary key of employer_specialties. */
async function selectSpecialtyNames(db: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('employer_specialties')
    .select('specialty')
    .distinct()
    .where('employer_id', '=', anyOf('integer', ids))
    .orderBy('specialty')
    .execute();
  return rows.map(({ specialty }) => specialty);
}
