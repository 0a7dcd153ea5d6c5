import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import type { ReviewCriteria } from '#server/features/reviews/list/list-query.ts';
import type { Condition, ListDeps, Search } from '#server/listing/list.ts';
import { conditionsOf, selectBySearches } from '#server/listing/list-page.ts';
import { REVIEWS } from './list/list-query.ts';

/** The days from `from` until the day before `until`, in UTC: 'YYYY-MM-DD'. */
export interface Days {
  readonly from: string;
  readonly until: string;
}

/** Published reviews of some days: how many, and the day of the newest. */
export interface NewReviews {
  readonly count: number;
  readonly newest: string;
}

export interface NewReviewsOfEmployer extends NewReviews {
  /** The employer had no review before. */
  readonly isFirst: boolean;
}

const DAY = sql<string>`to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD')`;

/** reviews_newest */
const within = ({ from, until }: Days) => sql`
  created_at >= ${from}::timestamp at time zone 'UTC'
  and created_at < ${until}::timestamp at time zone 'UTC'`;

/** The days of an employer's newest and oldest reviews. */
export interface ReviewedDays {
  readonly newest: string;
  readonly oldest: string;
}

/** The days of the newest and oldest reviews by employer (reviews_by_employer). */
const selectDays = async (db: Db, isOne: Condition): Promise<Map<number, ReviewedDays>> => {
  const { rows } = await sql<ReviewedDays & { employer_id: number }>`
    select employer_id, ${DAY} as newest,
      to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as oldest
    from reviews
    where removed_reason is null and ${isOne}
    group by employer_id ${UNNAMED}`.execute(db);
  return new Map(rows.map(({ employer_id, ...days }) => [employer_id, days]));
};

export const reviewedDaysOf = (db: Db, employerIds: readonly number[]) =>
  selectDays(db, sql`employer_id = any(${employerIds}::integer[])`);

/** Of the employers in a range of ids. */
export const reviewedDaysBetween = (db: Db, after: number, upTo: number) =>
  selectDays(db, sql`employer_id > ${after} and employer_id <= ${upTo}`);

/** The employers with reviews of some days. */
export async function selectNewByEmployer(
  db: Db,
  days: Days,
): Promise<Map<number, NewReviewsOfEmployer>> {
  // reviews_by_employer
  const { rows } = await sql<NewReviewsOfEmployer & { employer_id: number }>`
    select employer_id, count(*)::int as count, ${DAY} as newest,
      not exists (
        select from reviews as earlier
        where earlier.employer_id = reviews.employer_id and earlier.removed_reason is null
          and earlier.created_at < ${days.from}::timestamp at time zone 'UTC'
      ) as "isFirst"
    from reviews
    where removed_reason is null and ${within(days)}
    group by employer_id ${UNNAMED}`.execute(db);
  return new Map(rows.map(({ employer_id, ...found }) => [employer_id, found]));
}

type ReviewSearch = Omit<ReviewCriteria, 'page' | 'page_size'> & { search?: string | undefined };

/** The reviews of some days that each search finds, in the order of the searches. */
export async function findNewReviews(
  deps: ListDeps,
  searches: readonly ReviewSearch[],
  days: Days,
): Promise<(NewReviews | null)[]> {
  const rows = await selectBySearches<NewReviews & { place: number }, ReviewCriteria, Search>(
    deps,
    REVIEWS,
    searches.map(({ search: text, ...criteria }) => ({
      text,
      criteria: { ...criteria, page: 1, page_size: 1 },
    })),
    // Rare words are found in the search index (reviews_search), common ones among the new reviews.
    (place, criteria, search) => sql`
      select ${place}::int as place, count(*)::int as count, ${DAY} as newest
      from reviews where ${within(days)}
        and ${conditionsOf(REVIEWS, criteria, search)}`,
  );
  const found: (NewReviews | null)[] = searches.map(() => null);
  for (const { place, ...counted } of rows) if (counted.count > 0) found[place] = counted;
  return found;
}
