import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EmployerOrdering } from '#contract/employer-choices.ts';
import type { Employer, EmployerQuery } from '#contract/employers.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import {
  allConditions,
  conditionsOf,
  isPlain,
  type OptionalFilter,
} from '#server/db/optional-filters.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { offsetOf } from '#server/paging.ts';
import { EMPLOYER_COLUMNS, employersWithRatings, toEmployer } from './employer-row.ts';
import type { SearchQuery } from './search-query.ts';

/** What the directory is narrowed to and how it is ordered, its search apart. */
export type Criteria = Omit<EmployerQuery, 'search'>;

/** Nulls come last; equal rows follow their ids, so that pages never overlap. */
const ORDERS: Record<EmployerOrdering, RawBuilder<unknown>> = {
  // employers_directory, employers_by_state, employers_by_trauma
  name: sql`sort_name, id`,
  '-name': sql`sort_name desc, id desc`,
  // employers_by_beds_desc, employers_by_beds
  '-bed_count': sql`bed_count desc nulls last, id`,
  bed_count: sql`bed_count, id`,
  // employer_ratings_by_overall, employer_ratings_by_total
  '-overall_rating': sql`overall_rating desc nulls last, total_reviews desc, employer_id`,
  '-total_reviews': sql`total_reviews desc, employer_id`,
  // employers_by_created
  '-created_at': sql`created_at desc, id`,
};

/** Ratings are in a table of their own: joined where they are what counts. */
const ratingsFor = (ordering: EmployerOrdering) =>
  ordering === '-overall_rating' || ordering === '-total_reviews'
    ? sql`join employer_ratings on employer_id = id`
    : sql``;

/** The first page by name, of at most one filter: it has a named statement. */
const isCommon = (criteria: Criteria) =>
  isPlain(filtersOf(criteria)) &&
  criteria.page === 1 &&
  criteria.page_size === PAGE_SIZE &&
  (criteria.ordering ?? 'name') === 'name';

/** One page of the directory. Of the rows, only the page's own are read. */
export async function selectPage(db: Db, criteria: Criteria): Promise<Employer[]> {
  const { ordering = 'name', page_size } = criteria;
  const isNamed = isCommon(criteria);
  const ids = sql<number>`(
    select id from employers ${ratingsFor(ordering)} where ${meets(criteria)}
    order by ${ORDERS[ordering]}
    limit ${isNamed ? sql.lit(page_size) : page_size} offset ${offsetOf(criteria)}
  )`;
  const rows = await employersWithRatings(db)
    .select(EMPLOYER_COLUMNS)
    .where('id', 'in', ids)
    .orderBy(ORDERS[ordering])
    .$if(!isNamed, (page) => page.modifyEnd(UNNAMED))
    .execute();
  return rows.map(toEmployer);
}

/** How many employers there are on all pages; of those that a search finds, if there is one. */
export async function countEmployers(
  db: Db,
  criteria: Criteria,
  search?: SearchQuery,
): Promise<number> {
  const { count } = await db
    .selectFrom('employers')
    .where(search ? meetsInSearch(criteria) : meets(criteria))
    .$if(!!search, (q) => q.where(lookedUp(search?.match ?? '')))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(!!search || !isPlain(filtersOf(criteria)), (q) => q.modifyEnd(UNNAMED))
    .executeTakeFirstOrThrow();
  return count;
}

/** So many of the largest employers that match are ranked; the others follow by size. */
const MOST_RANKED = 200;
/** Above so many matches it is quicker to read down an order, and see whether rows match. */
const MOST_LOOKED_UP = 2000;

/** The ids of one page of what a search finds; `found` is how many that is in all. */
export async function selectMatches(
  db: Db,
  criteria: Criteria,
  search: SearchQuery,
  found: number,
): Promise<number[]> {
  const matching = sql`${meetsInSearch(criteria)} and ${
    found <= MOST_LOOKED_UP ? lookedUp(search.match) : checked(search.match)
  }`;
  const { rows } = await (criteria.ordering
    ? ordered(criteria, criteria.ordering, matching)
    : ranked(criteria, search, matching)
  ).execute(db);
  return rows.map(({ id }) => id);
}

/** By employers_search. A query within: no plan is made for one search and used for the next. */
const lookedUp = (match: string) => sql<SqlBool>`search @@ (select ${match}::tsquery)`;
/** Row by row: of "is true" employers_search knows nothing. */
const checked = (match: string) => sql<SqlBool>`(search @@ ${match}::tsquery) is true`;

type Ids = RawBuilder<{ id: number }>;

const ordered = (
  criteria: Criteria,
  ordering: EmployerOrdering,
  matching: RawBuilder<unknown>,
): Ids => sql`
  select id from employers ${ratingsFor(ordering)} where ${matching} order by ${ORDERS[ordering]}
  limit ${criteria.page_size} offset ${offsetOf(criteria)} ${UNNAMED}`;

/**
 * A word in the name counts more than one in the place, a whole word more than its beginning, a
 * name like the search more than one that holds it; then come size and how much is written.
 */
function ranked(
  criteria: Criteria,
  { inName, whole, text }: SearchQuery,
  matching: RawBuilder<unknown>,
): Ids {
  const { page_size } = criteria;
  const offset = offsetOf(criteria);
  const others = sql`
    union all (
      select id, null, bed_count from employers
      where ${matching} and id not in (select id from largest)
      order by bed_count desc nulls last, id
      limit ${page_size} offset ${Math.max(0, offset - MOST_RANKED)}
    )`;
  return sql`
    with largest as materialized (
      -- employers_by_beds_desc, or employers_search
      select id, search, sort_name, bed_count, hospital_status from employers
      where ${matching} order by bed_count desc nulls last, id limit ${sql.lit(MOST_RANKED)}
    ),
    scored as (
      select id,
        2 * (search @@ ${inName}::tsquery)::integer
          + 1.5::float8 * (search @@ ${whole}::tsquery)::integer
          + 3 * similarity(sort_name, ${text})
          + ln(1 + coalesce(bed_count, 0)::float8) / 8 + ln(1 + total_reviews::float8) / 16
          - (hospital_status is not distinct from 'Closed')::integer as score,
        bed_count
      from largest join employer_ratings on employer_id = id
      ${offset + page_size > MOST_RANKED ? others : sql``}
    )
    select id from scored order by score desc nulls last, bed_count desc nulls last, id
    limit ${page_size} offset ${Math.min(offset, MOST_RANKED)} ${UNNAMED}`;
}

function filtersOf(criteria: Criteria): OptionalFilter[] {
  const { has_helipad, hospitals_only, min_beds, max_beds, min_staff, max_staff } = criteria;
  const equal = (column: string, value: string | undefined, type = 'text'): OptionalFilter => ({
    value: value || null,
    type,
    holds: sql`${sql.ref(column)} = ${value || null}`,
  });
  const bound = (value: number | undefined, column: string, compare: '>=' | '<=') => ({
    value: value ?? null,
    type: 'integer',
    holds: sql<SqlBool>`${sql.ref(column)} ${sql.raw(compare)} ${value ?? null}`,
  });
  return [
    equal('state', criteria.state?.toUpperCase()),
    equal('employer_type', criteria.employer_type),
    equal('ownership_type', criteria.ownership_type),
    equal('trauma_level', criteria.trauma_level),
    equal('hospital_status', criteria.hospital_status),
    equal('has_helipad', has_helipad, 'boolean'),
    // Both at once find nothing but hospitals of that type.
    equal('employer_type', hospitals_only === 'true' ? 'hospital' : undefined),
    bound(min_beds, 'bed_count', '>='),
    bound(max_beds, 'bed_count', '<='),
    bound(min_staff, 'staff_count', '>='),
    bound(max_staff, 'staff_count', '<='),
  ];
}

/** What meets the filters, for a statement that is unnamed unless `isPlain`. */
const meets = (criteria: Criteria) => all(conditionsOf(filtersOf(criteria)));

/** The same in a search, whose statements are always unnamed. */
const meetsInSearch = (criteria: Criteria) => all(allConditions(filtersOf(criteria)));

const all = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`${sql.join([sql`merged_into is null`, ...conditions], sql` and `)}`;
