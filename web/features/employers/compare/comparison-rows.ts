import { OWNERSHIP_NOT_SPECIFIED } from '#contract/employers/employer-choices.ts';
import type { ComparedEmployer, Figure } from '#contract/employers/employer-comparison.ts';
import { BEST_LEAD, RATING_MAX, RATING_MIN, REVIEWS_TO_COMPARE } from '#contract/limits.ts';
import { CATEGORY_RATINGS, perCategory } from '#contract/review-choices.ts';
import { formatAverage, formatCount, formatPercent } from '#web/lib/format.ts';

type FigureName = keyof ComparedEmployer['figures'];

export interface FigureCell {
  id: number;
  /** Null if there is no figure. */
  text: string | null;
  /** Its place on the axis, from 0 to 1, and what one further review could make of it. */
  place: number;
  range: readonly [from: number, to: number] | null;
  /** The range as text. */
  further: string | null;
  reviews: number;
  /** Whether the number of reviews is not that of the overall rating. */
  differs: boolean;
  isBest: boolean;
  isFew: boolean;
}

export interface FigureRow {
  name: FigureName;
  label: string;
  /** How far apart the employers are; null if fewer than two can be compared. */
  lead: string | null;
  cells: readonly FigureCell[];
  /** The ends of the axis. */
  ends: readonly [string, string];
}

interface Scale {
  label: string;
  /** What a review can give. */
  least: number;
  most: number;
  ends: FigureRow['ends'];
  /** The value in stars, rounded as displayed, so that equal texts rank equally. */
  toStars: (value: number) => number;
  format: (value: number) => string;
  apart: (stars: number) => string;
}

const inStars = (label: string): Scale => ({
  label,
  least: RATING_MIN,
  most: RATING_MAX,
  ends: [String(RATING_MIN), String(RATING_MAX)],
  toStars: (value) => Number(value.toFixed(1)),
  format: formatAverage,
  apart: (stars) => `${formatAverage(stars)} stars apart`,
});

const STARS = RATING_MAX - RATING_MIN;

/** Maps 0% to the fewest stars and 100% to the most. */
const inPercent = (label: string): Scale => ({
  label,
  least: 0,
  most: 1,
  ends: ['0%', '100%'],
  toStars: (value) => RATING_MIN + STARS * (Math.round(value * 100) / 100),
  format: formatPercent,
  apart: (stars) => `${Math.round((stars / STARS) * 100)} points apart`,
});

const SCALES: Readonly<Record<FigureName, Scale>> = {
  overall_rating: inStars('Overall rating'),
  ...perCategory((category) => inStars(CATEGORY_RATINGS[category])),
  would_recommend: inPercent('Would recommend'),
};

/** The overall rating, followed by the other figures with the biggest differences first. */
export function figureRows(compared: readonly ComparedEmployer[]): FigureRow[] {
  const [overall, ...rest] = (Object.keys(SCALES) as FigureName[]).map((name) =>
    figureRow(name, compared),
  );
  const rows = overall ? [overall, ...rest.toSorted((a, b) => b.gap - a.gap)] : [];
  return rows.map(({ gap: _, ...row }) => row);
}

function figureRow(name: FigureName, compared: readonly ComparedEmployer[]) {
  const scale = SCALES[name];
  const ranks = compared
    .flatMap(({ figures }) => rankOf(figures[name], scale) ?? [])
    .toSorted((a, b) => b - a);
  const [best = 0, second = best] = ranks;
  const isContest = ranks.length > 1;
  const gap = isContest ? hundredths(best - (ranks.at(-1) ?? best)) : -1;
  const hasBest = hundredths(best - second) >= hundredths(BEST_LEAD);
  const cells = compared.map(({ employer: { id }, figures }): FigureCell => {
    const { value, reviews } = figures[name];
    return {
      id,
      text: value === null ? null : scale.format(value),
      ...onAxis(figures[name], scale),
      reviews,
      differs: reviews !== figures.overall_rating.reviews,
      isBest: hasBest && rankOf(figures[name], scale) === best,
      isFew: reviews > 0 && reviews < REVIEWS_TO_COMPARE,
    };
  });
  return {
    name,
    label: scale.label,
    lead: isContest ? (gap > 0 ? scale.apart(gap / 100) : 'No difference') : null,
    cells,
    ends: scale.ends,
    gap,
  };
}

/** The place of a figure, and of what one further review of the worst or the best makes of it. */
function onAxis({ value, reviews }: Figure, { least, most, format }: Scale) {
  if (value === null) return { place: 0, range: null, further: null };
  const placeOf = (one: number) => (one - least) / (most - least);
  const ends = [least, most].map((given) => (value * reviews + given) / (reviews + 1));
  const [low = value, high = value] = ends;
  return {
    place: placeOf(value),
    range: [placeOf(low), placeOf(high)] as const,
    further: `${format(low)} to ${format(high)} after one more review`,
  };
}

/** Rounded, because floating-point differences are not exact. */
const hundredths = (stars: number) => Math.round(stars * 100);

const rankOf = ({ value, reviews }: Figure, { toStars }: Scale): number | null =>
  value === null || reviews < REVIEWS_TO_COMPARE ? null : toStars(value);

type Compared = ComparedEmployer['employer'];

/** Null if the fact is unknown. Facts are not ranked. */
const FACTS: Readonly<Record<string, (employer: Compared) => string | null>> = {
  Beds: ({ bed_count: beds }) => (beds ? formatCount(beds) : null),
  'Trauma level': ({ trauma_level }) => trauma_level,
  Ownership: ({ ownership_type: owner }) => (owner === OWNERSHIP_NOT_SPECIFIED ? null : owner),
};

export const factRows = (compared: readonly ComparedEmployer[]) =>
  Object.entries(FACTS).map(([label, factOf]) => ({
    label,
    cells: compared.map(({ employer }) => ({ id: employer.id, text: factOf(employer) })),
  }));
