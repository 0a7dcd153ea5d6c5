import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import { ORDERS } from './filter.ts';

/** A review, by all that orders go by. */
export interface Place {
  overall_rating: number;
  helpful_score: number;
  created_at: Date;
  id: string;
}

/** Reviews that follow each other in an index. */
export interface Step {
  readonly rating?: number;
  readonly where?: RawBuilder<SqlBool>;
  readonly order: RawBuilder<unknown>;
}

/**
 * An order, or what of it follows a place, as steps that are each one range of an index: what
 * has the same rating or score as the place, and then what comes after that.
 */
export function stepsFrom(ordering: ReviewOrdering, minRating = RATING_MIN, after?: Place): Step[] {
  const order = ORDERS[ordering];
  if (ordering === '-created_at') return [{ order, ...(after && { where: isOlder(after) }) }];
  if (ordering === 'created_at') return [{ order, ...(after && { where: isNewer(after) }) }];
  if (ordering === '-helpful') return after ? helpfulAfter(after) : [{ order }];
  const rated = Array.from(
    { length: RATING_MAX - minRating + 1 },
    (_, at): Step => ({ rating: minRating + at, order: ORDERS['-created_at'] }),
  );
  const steps = ordering === 'overall_rating' ? rated : rated.toReversed();
  if (!after) return steps;
  const at = steps.findIndex(({ rating }) => rating === after.overall_rating);
  return steps.slice(at).map((step, n) => (n === 0 ? { ...step, where: isOlder(after) } : step));
}

function helpfulAfter(after: Place): Step[] {
  const score = sql`${after.helpful_score}::real`;
  return [
    {
      where: sql`helpful_score = ${score} and ${isOlder(after)}`,
      order: ORDERS['-created_at'],
    },
    { where: sql`helpful_score < ${score}`, order: ORDERS['-helpful'] },
  ];
}

const isOlder = ({ created_at, id }: Place) =>
  sql<SqlBool>`created_at <= ${created_at} and (created_at < ${created_at} or id > ${id})`;
const isNewer = ({ created_at, id }: Place) =>
  sql<SqlBool>`created_at >= ${created_at} and (created_at > ${created_at} or id < ${id})`;
