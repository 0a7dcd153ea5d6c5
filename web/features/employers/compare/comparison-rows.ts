import { OWNERSHIP_NOT_SPECIFIED, TRAUMA_LEVELS } from '#contract/employer-choices.ts';
import type { EmployerComparison } from '#contract/employers.ts';
import { REVIEWS_OF_SPECIALTY, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { CATEGORY_RATINGS, type CategoryRating } from '#contract/review-choices.ts';
import { formatCount, formatDate } from '#web/lib/format.ts';

export type Compared = EmployerComparison['results'][number];

export interface ComparedCell {
  id: number;
  /** Null if unknown. */
  text: string | null;
  /** Also shown as stars. */
  rating: number | null;
  note: string | null;
  isBest: boolean;
}

export interface ComparedRow {
  label: string;
  /** The label of the best value. */
  best: string;
  cells: readonly ComparedCell[];
}

/** One employer's value in a row. `rank` is null if it cannot be compared. */
interface Measure {
  text: string | null;
  rank: number | null;
  rating?: number | null;
  note?: string | null;
}

/** The rows of the comparison, with the best value of each marked. */
export function comparisonRows(compared: readonly Compared[]): ComparedRow[] {
  const row = (label: string, best: string, measure: (each: Compared) => Measure): ComparedRow => {
    const measures = compared.map(measure);
    const ranks = measures.flatMap(({ rank }) => (rank === null ? [] : [rank]));
    const top = Math.max(...ranks);
    // If all are equal, or there is only one, none is the best.
    const isContest = ranks.some((rank) => rank < top);
    const cells = compared.map(({ employer }, at): ComparedCell => {
      const { text = null, rank = null, rating = null, note = null } = measures[at] ?? {};
      return { id: employer.id, text, rating, note, isBest: isContest && rank === top };
    });
    return { label, best, cells };
  };
  const categories = Object.entries(CATEGORY_RATINGS) as [CategoryRating, string][];
  return [
    row('Overall rating', 'Best', ({ employer, insights: { subgroup, spread } }) =>
      subgroup
        ? ofSpecialty(subgroup.overall_rating, subgroup)
        : average(employer.overall_rating, spread.overall_rating),
    ),
    ...categories.map(([category, label]) =>
      row(label, 'Best', ({ employer, insights: { subgroup, spread } }) =>
        subgroup
          ? ofSpecialty(subgroup[`avg_${category}`], subgroup)
          : average(employer[`avg_${category}`], spread[category]),
      ),
    ),
    row('Would recommend', 'Best', ({ insights: { subgroup, would_recommend } }) =>
      subgroup ? recommendedBySpecialty(subgroup) : recommended(would_recommend),
    ),
    row('Reviews', 'Most', ({ insights }) => {
      const { total_reviews } = insights.subgroup ?? insights;
      return {
        text: formatCount(total_reviews),
        rank: total_reviews,
        note: total_reviews < REVIEWS_TO_COMPARE ? TOO_FEW : null,
      };
    }),
    row('Newest review', 'Latest', ({ insights: { newest_review_at: newest } }) => ({
      text: newest === null ? null : formatDate(newest),
      // By day, as shown.
      rank: newest === null ? null : Date.parse(newest.slice(0, 10)),
    })),
    row('Beds', 'Most', ({ employer: { bed_count: beds } }) => ({
      text: beds ? formatCount(beds) : null,
      rank: beds || null,
    })),
    row('Trauma level', 'Highest', ({ employer: { trauma_level: level } }) => ({
      text: level,
      rank: level && -TRAUMA_LEVELS.indexOf(level),
    })),
    row('Ownership', '', ({ employer: { ownership_type: owner } }) => ({
      text: owner === OWNERSHIP_NOT_SPECIFIED ? null : owner,
      rank: null,
    })),
  ];
}

const TOO_FEW = 'Too few reviews to tell';

/** Ranked with one decimal, as shown, so that equal numbers rank equally. */
function average(rating: number | null, spread: readonly number[]): Measure {
  if (!rating) return { text: null, rank: null };
  const isFew = spread.reduce((sum, count) => sum + count, 0) < REVIEWS_TO_COMPARE;
  const text = rating.toFixed(1);
  return { text, rating, rank: isFew ? null : Number(text), note: isFew ? TOO_FEW : null };
}

function recommended({ yes, answered }: Compared['insights']['would_recommend']): Measure {
  if (answered === 0) return { text: null, rank: null };
  const percent = Math.round((yes / answered) * 100);
  const isFew = answered < REVIEWS_TO_COMPARE;
  return {
    text: `${percent}%`,
    rank: isFew ? null : percent,
    note: isFew ? TOO_FEW : `${formatCount(yes)} of ${formatCount(answered)}`,
  };
}

type Subgroup = NonNullable<Compared['insights']['subgroup']>;

/** Few reviews of a specialty have no averages. */
function ofSpecialty(rating: number | null, { total_reviews }: Subgroup): Measure {
  if (rating !== null) return { text: rating.toFixed(1), rating, rank: Number(rating.toFixed(1)) };
  const isFew = total_reviews > 0 && total_reviews < REVIEWS_OF_SPECIALTY;
  return { text: null, rank: null, note: isFew ? TOO_FEW : null };
}

function recommendedBySpecialty(subgroup: Subgroup): Measure {
  const { recommend_share: share } = subgroup;
  if (share === null) return ofSpecialty(null, subgroup);
  const percent = Math.round(share * 100);
  return { text: `${percent}%`, rank: percent };
}
