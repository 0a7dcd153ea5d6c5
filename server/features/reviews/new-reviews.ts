import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { walk } from '#server/listing/conditions.ts';
import { kept, type ListDeps } from '#server/listing/listing.ts';
import type { ReviewCriteria } from './list-filters.ts';
import { REVIEWS } from './list-query.ts';

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

const DAY = sql<string>`to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD')`;

/** reviews_newest */
const within = ({ from, until }: Days) => sql`
  created_at >= ${from}::timestamp at time zone 'UTC'
  and created_at < ${until}::timestamp at time zone 'UTC'`;

/** The day of each employer's newest review (reviews_by_employer). */
export async function selectNewestDaysOf(
  db: Db,
  employerIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ employer_id: number; day: string }>`
    select employer_id, ${DAY} as day from reviews
    where employer_id = any(${employerIds}::integer[]) and removed_reason is null
    group by employer_id`.execute(db);
  return new Map(rows.map(({ employer_id, day }) => [employer_id, day]));
}

/** The employers with reviews of some days. */
export async function selectNewByEmployer(db: Db, days: Days): Promise<Map<number, NewReviews>> {
  const { rows } = await sql<NewReviews & { employer_id: number }>`
    select employer_id, count(*)::int as count, ${DAY} as newest from reviews
    where removed_reason is null and ${within(days)}
    group by employer_id ${UNNAMED}`.execute(db);
  return new Map(rows.map(({ employer_id, ...found }) => [employer_id, found]));
}

/** Searches per statement. */
const AT_ONCE = 50;

type ReviewSearch = Omit<ReviewCriteria, 'page' | 'page_size'> & { search?: string | undefined };

/** The reviews of some days that each search finds, in the order of the searches. */
export async function findNewReviews(
  deps: ListDeps,
  searches: readonly ReviewSearch[],
  days: Days,
): Promise<(NewReviews | null)[]> {
  const found: (NewReviews | null)[] = searches.map(() => null);
  for (let first = 0; first < searches.length; first += AT_ONCE) {
    const counts = [];
    for (const [place, { search: text, ...criteria }] of searches
      .slice(first, first + AT_ONCE)
      .entries()) {
      const search = text
        ? await kept(deps, REVIEWS, `search/${text}`, () => REVIEWS.understand(deps.db, text))
        : undefined;
      if (search === null) continue;
      const conditions = walk(REVIEWS, { ...criteria, page: 1, page_size: 1 });
      // Rare words are found in the search index (reviews_search), common ones among the new
      // reviews.
      if (search) conditions.push(sql`search @@ ${search.match}::tsquery`);
      counts.push(sql`
        select ${first + place}::int as place, count(*)::int as count, ${DAY} as newest
        from reviews where ${within(days)} and ${sql.join(conditions, sql` and `)}`);
    }
    if (counts.length === 0) continue;
    const { rows } = await sql<NewReviews & { place: number }>`
      ${sql.join(counts, sql` union all `)} ${UNNAMED}`.execute(deps.db);
    for (const { place, ...counted } of rows) if (counted.count > 0) found[place] = counted;
  }
  return found;
}
