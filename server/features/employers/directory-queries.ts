import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EmployerOrdering } from '#contract/employer-choices.ts';
import type { Employer, EmployerQuery } from '#contract/employers.ts';
import type { Db } from '#server/db/open.ts';
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

/** One page of the directory. Of the rows, only the page's own are read. */
export async function selectPage(db: Db, criteria: Criteria): Promise<Employer[]> {
  const { ordering = 'name' } = criteria;
  const ids = sql<number>`(
    select id from employers ${ratingsFor(ordering)} where ${meets(criteria)}
    order by ${ORDERS[ordering]}
    limit ${sql.lit(criteria.page_size)} offset ${offsetOf(criteria)}
  )`;
  const rows = await employersWithRatings(db)
    .select(EMPLOYER_COLUMNS)
    .where('id', 'in', ids)
    .orderBy(ORDERS[ordering])
    .execute();
  return rows.map(toEmployer);
}

export async function countEmployers(db: Db, criteria: Criteria): Promise<number> {
  const { count } = await db
    .selectFrom('employers')
    .where(meets(criteria))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Of so many matches, the largest employers, the best are put first; the others follow by size. */
const MOST_RANKED = 200;

/**
 * One page of what a search finds, and how many that is in all: looked up (employers_search), then
 * put in order.
 */
export async function selectMatches(
  db: Db,
  criteria: Criteria,
  search: SearchQuery,
): Promise<{ ids: number[]; count: number }> {
  const { ordering, page_size } = criteria;
  const offset = offsetOf(criteria);
  const found = ordering
    ? sql`select id from matches ${ratingsFor(ordering)} order by ${ORDERS[ordering]}`
    : offset + page_size <= MOST_RANKED
      ? sql`select id from scored order by score desc, bed_count desc nulls last, id`
      : sql`select id from matches left join scored using (id)
          order by score desc nulls last, matches.bed_count desc nulls last, id`;
  const { rows } = await sql<{ ids: number[]; count: number }>`
    with matches as materialized (
      select id, bed_count, sort_name, created_at from employers
      -- A query within: no plan is made for one search and used for the next.
      where search @@ (select ${search.match}::tsquery) and ${meets(criteria)}
    ),
    scored as (${scored(search)})
    select array(${found} limit ${sql.lit(page_size)} offset ${offset}) as ids,
      (select count(*) from matches) as count
  `.execute(db);
  const [page] = rows;
  if (!page) throw new Error('a query of aggregates has one row');
  return page;
}

/**
 * A word in the name counts more than one in the place, a whole word more than its beginning, a
 * name like the search more than one that holds it; then come size and how much is written.
 */
const scored = ({ inName, whole, text }: SearchQuery) => sql`
  select id, bed_count,
    2 * (search @@ ${inName}::tsquery)::integer
      + 1.5::float8 * (search @@ ${whole}::tsquery)::integer
      + 2 * similarity(sort_name, ${text}) + word_similarity(${text}, sort_name)
      + ln(1 + coalesce(bed_count, 0)::float8) / 8 + ln(1 + total_reviews::float8) / 16
      - (hospital_status is not distinct from 'Closed')::integer as score
  from employers join employer_ratings on employer_id = id
  where id in (
    select id from matches order by bed_count desc nulls last, id limit ${sql.lit(MOST_RANKED)}
  )`;

function meets(criteria: Criteria): RawBuilder<SqlBool> {
  const { state, has_helipad, hospitals_only } = criteria;
  const equal = {
    state: state?.toUpperCase(),
    employer_type: criteria.employer_type,
    ownership_type: criteria.ownership_type,
    trauma_level: criteria.trauma_level,
    hospital_status: criteria.hospital_status,
    has_helipad: has_helipad && has_helipad === 'true',
  };
  const bounds = [
    ['bed_count', sql`>=`, criteria.min_beds],
    ['bed_count', sql`<=`, criteria.max_beds],
    ['staff_count', sql`>=`, criteria.min_staff],
    ['staff_count', sql`<=`, criteria.max_staff],
  ] as const;
  const conditions = [
    sql`merged_into is null`,
    ...(hospitals_only === 'true' ? [sql`employer_type = 'hospital'`] : []),
    ...Object.entries(equal)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    ...bounds
      .filter(([, , bound]) => bound !== undefined)
      .map(([column, compare, bound]) => sql`${sql.ref(column)} ${compare} ${bound}`),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
