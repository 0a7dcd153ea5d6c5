import { type RawBuilder, sql } from 'kysely';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import type { ReviewOrdering } from '#contract/review-choices.ts';
import type { Order } from '#server/listing/resource.ts';
import { IS_LISTED, RATINGS } from './list-filters.ts';

type Sql = RawBuilder<unknown>;

export const NEWEST_FIRST = sql`created_at desc, id`;

/** The number of the month in which the first or last of all reviews was written. */
const monthOf = (end: 'min' | 'max') => sql`(
  select public.month_number(${sql.raw(end)}(created_at)) from reviews where ${IS_LISTED}
)`;
const LAST_MONTH = sql`public.month_number(last.created_at)`;

/** The terms of one kind, from one number to another. */
const terms = (kind: '=t' | '=r' | '=h', from: Sql, to: Sql): RawBuilder<string> => sql<string>`(
  select string_agg(quote_literal(${sql.lit(kind)} || n), ' | ') from generate_series(${from}, ${to}) n
)`;

/** With more months, PostgreSQL takes longer to combine their terms than to read the reviews. */
const MONTHS_MAX = 8;

/** Null if there are too many months. */
const months = (from: Sql, to: Sql) =>
  sql<string>`case when ${to} - ${from} < ${sql.lit(MONTHS_MAX)} then ${terms('=t', from, to)} end`;
const NEWER = months(LAST_MONTH, monthOf('max'));

/** The terms of a group's newer reviews. */
const newerOf = (group: RawBuilder<string>) =>
  sql<string>`'(' || ${group} || ') & (' || ${NEWER} || ')'`;

const STARS = sql`last.overall_rating::integer`;
const SAME_STARS = terms('=r', STARS, STARS);

const byRating = (by: Sql, values: readonly number[], better: RawBuilder<string>): Order => ({
  by: sql`${by}, ${NEWEST_FIRST}`,
  groups: { column: 'overall_rating', values, by: NEWEST_FIRST },
  upTo: sql`concat_ws(' | ', ${better}, coalesce(${newerOf(SAME_STARS)}, ${SAME_STARS}))`,
});

const TENTH = sql`public.helpful_tenth(last.helpful_score)`;

/** Ties are ordered newest first, then by id, so that pages never overlap. */
export const ORDERS: Record<ReviewOrdering, Order> = {
  '-created_at': { by: NEWEST_FIRST, upTo: NEWER },
  created_at: {
    by: sql`created_at, id desc`,
    upTo: months(monthOf('min'), LAST_MONTH),
  },
  '-overall_rating': byRating(
    sql`overall_rating desc`,
    RATINGS.toReversed(),
    terms('=r', sql`${STARS} + 1`, sql.lit(RATING_MAX)),
  ),
  overall_rating: byRating(
    sql`overall_rating`,
    RATINGS,
    terms('=r', sql.lit(RATING_MIN), sql`${STARS} - 1`),
  ),
  '-helpful': {
    by: sql`helpful_score desc, ${NEWEST_FIRST}`,
    // Reviews without a helpful vote are ordered by date alone.
    upTo: sql`case ${TENTH} when 0
      then ${terms('=h', sql`1`, sql`10`)} || ' | ' || ${newerOf(sql`'''=h0'''`)}
      else ${terms('=h', TENTH, sql`10`)} end`,
  },
};
