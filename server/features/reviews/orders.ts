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

const NEWER = terms('=t', LAST_MONTH, monthOf('max'));

/** The terms of better groups, and of the newer reviews of the same one. */
const betterOrNewer = (better: RawBuilder<string>, same: RawBuilder<string>) =>
  sql<string>`concat_ws(' | ', ${better}, '(' || ${same} || ') & (' || ${NEWER} || ')')`;

const STARS = sql`last.overall_rating::integer`;

const byRating = (by: Sql, values: readonly number[], better: RawBuilder<string>): Order => ({
  by: sql`${by}, ${NEWEST_FIRST}`,
  groups: { column: 'overall_rating', values, by: NEWEST_FIRST },
  upTo: betterOrNewer(better, terms('=r', STARS, STARS)),
});

const TENTH = sql`public.helpful_tenth(last.helpful_score)`;

/** Ties are ordered newest first, then by id, so that pages never overlap. */
export const ORDERS: Record<ReviewOrdering, Order> = {
  '-created_at': { by: NEWEST_FIRST, upTo: NEWER },
  created_at: {
    by: sql`created_at, id desc`,
    upTo: terms('=t', monthOf('min'), LAST_MONTH),
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
      then ${betterOrNewer(terms('=h', sql`1`, sql`10`), sql`'''=h0'''`)}
      else ${terms('=h', TENTH, sql`10`)} end`,
  },
};
