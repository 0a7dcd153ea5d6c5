import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import { offsetOf } from '#server/paging.ts';
import { type Criteria, citiesOf } from './filter.ts';

/** How many reviews gave one star, two, … five. */
export type Spread = readonly number[];

/** Reviews of one rating, or of any, and how many of these come before the page. */
export interface Stretch {
  readonly rating?: number;
  readonly offset: number;
}

export const totalOf = (spread: Spread) => spread.reduce((sum, count) => sum + count, 0);

/** The same without what is rated lower. */
export const atLeast = (spread: Spread, min: number = RATING_MIN): Spread =>
  spread.map((count, at) => (at + RATING_MIN < min ? 0 : count));

/**
 * What a page is read from. In the order of ratings it lies within one of them, or at the end of
 * one and the beginning of the next: those before are known by their number, and never read.
 * In other orders, ratings that nobody gave need not be looked for.
 */
export function stretchesOf(spread: Spread, criteria: Criteria): Stretch[] {
  const { ordering, page_size } = criteria;
  const given = Array.from({ length: RATING_MAX }, (_, at) => at + RATING_MIN).filter(
    (rating) => countOf(spread, rating) > 0,
  );
  let offset = offsetOf(criteria);
  // Few enough to be put in order at each request.
  if (citiesOf(criteria).length > 0) return [{ offset }];
  if (ordering !== 'overall_rating' && ordering !== '-overall_rating') {
    const [rating, ...others] = given;
    return [rating !== undefined && others.length === 0 ? { rating, offset } : { offset }];
  }
  const stretches: Stretch[] = [];
  let found = 0;
  for (const rating of ordering === 'overall_rating' ? given : given.toReversed()) {
    const count = countOf(spread, rating);
    if (offset < count && found < page_size) {
      stretches.push({ rating, offset });
      found += count - offset;
    }
    offset = Math.max(0, offset - count);
  }
  return stretches;
}

const countOf = (spread: Spread, rating: number) => spread[rating - RATING_MIN] ?? 0;
