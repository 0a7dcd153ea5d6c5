import { type RawBuilder, sql } from 'kysely';
import {
  EMPLOYER_TYPE_KEYS,
  EMPLOYER_TYPES,
  type EmployerOrdering,
  TRAUMA_LEVELS,
} from '#contract/employers/employer-choices.ts';
import type {
  Employer,
  EmployerFilterOptions,
  EmployerQuery,
} from '#contract/employers/employers.ts';
import { SUGGESTED_EMPLOYERS, SUGGESTED_PLACES } from '#contract/limits.ts';
import { type CategoryRating, perCategory } from '#contract/review-choices.ts';
import type { Suggestions } from '#contract/reviews/suggestions.ts';
import type { Db } from '#server/db/open.ts';
import {
  EMPLOYER_COLUMNS,
  type EmployerRow,
  LISTED,
  toEmployer,
} from '#server/features/employers/employer-row.ts';
import {
  type Condition,
  equals,
  type Filter,
  filter,
  type List,
  type ListDeps,
  type Order,
} from '#server/listing/list.ts';
import { conditionsOf, listPage, selectBySearches, understood } from '#server/listing/list-page.ts';
import { isNamed, type SearchQuery, understandSearch } from './search.ts';
import { isOfPlace } from './search-place.ts';

/** Filters, order, and page of the directory. */
export type EmployerCriteria = Omit<EmployerQuery, 'search'>;

const WITH_RATINGS = sql`join employer_ratings on employer_id = id`;
const LARGEST_FIRST = sql`bed_count desc nulls last, id`;

/** Ratings weighed by the number of reviews (docs/product/employers.md, "Best established"). */
export const BEST_ESTABLISHED_FIRST: Order = {
  // employer_ratings_by_established
  by: sql`established desc nulls last, total_reviews desc, employer_id`,
  join: WITH_RATINGS,
};

const byCategory = (category: CategoryRating): Order => ({
  // employer_ratings_by_work_life_balance and so on
  by: sql`${sql.ref(`avg_${category}`)} desc nulls last, total_reviews desc, employer_id`,
  join: WITH_RATINGS,
});

/** Nulls last. Ties are ordered by id, so that pages never overlap. */
const ORDERS: Record<EmployerOrdering, Order> = {
  // employers_directory, employers_by_state, employers_by_trauma
  name: { by: sql`sort_name, id` },
  '-name': { by: sql`sort_name desc, id desc` },
  // employers_by_beds_desc, employers_by_beds
  '-bed_count': { by: LARGEST_FIRST },
  bed_count: { by: sql`bed_count, id` },
  // employer_ratings_by_overall, employer_ratings_by_total
  '-overall_rating': {
    by: sql`overall_rating desc nulls last, total_reviews desc, employer_id`,
    join: WITH_RATINGS,
  },
  '-total_reviews': { by: sql`total_reviews desc, employer_id`, join: WITH_RATINGS },
  // employers_by_created
  '-created_at': { by: sql`created_at desc, id` },
  '-established': BEST_ESTABLISHED_FIRST,
  ...perCategory(byCategory, '-avg_'),
};

export const EMPLOYERS: List<EmployerCriteria, SearchQuery> = {
  name: 'employers',
  idType: 'integer',
  from: sql`employers ${WITH_RATINGS}`,
  columns: EMPLOYER_COLUMNS.map((column) => sql.ref(column)),
  isListed: LISTED,
  filters: filtersOf,
  // What employers' reviews say: their specialties, their number, and their ratings.
  filteredBy: ['employers', 'reviews'],
  orders: ORDERS,
  defaultOrder: 'name',
  sortColumns: sql`id, sort_name, bed_count, created_at`,
  ranking: {
    score: tierOf,
    ties: { by: sql`least(total_reviews, 999) desc, ${LARGEST_FIRST}`, join: WITH_RATINGS },
    tooMany: '-bed_count',
  },
  understand: understandSearch,
};

/** Units that the source lists besides their hospital. */
const PART_OF_ONE = '\\m(?:d p aph|transplant|satellite)\\M';

/** The tier of a match (docs/product/employers.md, "Employer directory"). */
function tierOf({ names, begins, place, also, inName, inNameAsTyped, ...query }: SearchQuery) {
  return sql`
    case
      when ${isNamed(names.whole)} then 10
      when ${isNamed(names.short)} then 9
      when sort_name ~ ${begins.whole} or ${isNamed(names.withKind)} then 8
      when sort_name ~ ${begins.any} then 7
      when sort_name ~ ${query.ofOtherKind} then 6
      when public.plain_words(city) = ${place?.city ?? ''} and state = ${place?.state ?? ''} then 5
      when ${also ?? sql`false`} then 5
      when search @@ ${inName}::tsquery then 4
      when search @@ ${query.initials ?? ''}::tsquery then 3
      when search @@ ${query.whole}::tsquery then 2
      else 1
    end
    + 0.25 * (search @@ ${inNameAsTyped}::tsquery)::integer
    - 0.5 * (hospital_status is not distinct from 'Closed' or sort_name ~ ${PART_OF_ONE})::integer`;
}

function filtersOf(criteria: EmployerCriteria): Filter[] {
  const { min_beds, max_beds, min_staff, max_staff } = criteria;
  return [
    equals('state', 'text', criteria.state?.toUpperCase()),
    equals('employer_type', 'text', criteria.employer_type),
    equals('ownership_type', 'text', criteria.ownership_type),
    equals('trauma_level', 'text', criteria.trauma_level),
    equals('hospital_status', 'text', criteria.hospital_status),
    equals('has_helipad', 'boolean', criteria.has_helipad),
    // With another `employer_type`, this finds nothing.
    equals('employer_type', 'text', criteria.hospitals_only === 'true' ? 'hospital' : undefined),
    filter(
      'boolean',
      criteria.has_reviews === 'true' || undefined,
      // employer_ratings_by_total
      () => isAmong(sql`select employer_id from employer_ratings where total_reviews > 0`),
    ),
    filter('integer', criteria.min_reviews, (reviews) =>
      isAmong(sql`select employer_id from employer_ratings where total_reviews >= ${reviews}`),
    ),
    filter('integer', criteria.min_immigration_support_rating, (stars) =>
      // employer_ratings_by_immigration_support
      isAmong(sql`
        select employer_id from employer_ratings where avg_immigration_support_rating >= ${stars}`),
    ),
    filter('text', criteria.specialty, (specialty) =>
      // employer_specialties_by_specialty, employers_by_specialty
      isAmong(sql`
        select employer_id from employer_specialties where specialty = ${specialty}
        union select id from employers where specialty = ${specialty} and ${LISTED}`),
    ),
    filter('integer', min_beds, (beds) => sql`bed_count >= ${beds}`),
    filter('integer', max_beds, (beds) => sql`bed_count <= ${beds}`),
    filter('integer', min_staff, (staff) => sql`staff_count >= ${staff}`),
    filter('integer', max_staff, (staff) => sql`staff_count <= ${staff}`),
  ];
}

/** An array, and not `in`: PostgreSQL uses an index for it beside other conditions. */
const isAmong = (ids: RawBuilder<unknown>): Condition => sql`id = any(array(${ids}))`;

type FilterCounts = EmployerFilterOptions['counts'];

/** A value of a filter, with its count. The index employers_directory has all columns. */
interface CountedChoice {
  state: string | null;
  employer_type: string | null;
  ownership_type: string | null;
  trauma_level: string | null;
  hospital_status: string | null;
  has_helipad: boolean | null;
  /** One bit per column: 0 for the column that this row is grouped by. */
  grouped_by: string;
  count: number;
  count_in_state: number;
}

const COUNTED_COLUMNS = [
  'state',
  'employer_type',
  'ownership_type',
  'trauma_level',
  'hospital_status',
  'has_helipad',
] as const;

/**
 * The choices of the directory's filters, with the number of employers for each: in the state, if
 * one is given. States and the total are always counted nationwide.
 */
export async function selectFilterOptions(
  db: Db,
  state: string | null,
): Promise<Omit<EmployerFilterOptions, 'specialties'>> {
  const columns = sql.join(COUNTED_COLUMNS.map((column) => sql.ref(column)));
  const { rows } = await sql<CountedChoice>`
    select ${columns}, grouping(${columns})::bit(6)::text as grouped_by, count(*),
      count(*) filter (where ${state}::text is null or state = ${state}) as count_in_state
    from employers where ${LISTED}
    group by grouping sets (${sql.join(COUNTED_COLUMNS.map((column) => sql`(${sql.ref(column)})`))}, ())
  `.execute(db);
  const countsOf = (
    column: (typeof COUNTED_COLUMNS)[number],
    count: 'count' | 'count_in_state' = 'count_in_state',
  ) =>
    Object.fromEntries(
      rows
        .filter(
          (row) => row.grouped_by[COUNTED_COLUMNS.indexOf(column)] === '0' && row[column] !== null,
        )
        .map((row) => [String(row[column]), row[count]] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  const counts: FilterCounts = {
    states: countsOf('state', 'count'),
    employer_types: countsOf('employer_type'),
    ownership_types: countsOf('ownership_type'),
    trauma_levels: countsOf('trauma_level'),
    hospital_statuses: countsOf('hospital_status'),
    has_helipad: countsOf('has_helipad'),
  };
  return {
    total_employers: rows.find((row) => row.grouped_by === '111111')?.count ?? 0,
    states: Object.keys(counts.states),
    employer_types: EMPLOYER_TYPE_KEYS.filter((key) => key in counts.employer_types).map(
      (value) => ({ value, label: EMPLOYER_TYPES[value] }),
    ),
    ownership_types: Object.keys(counts.ownership_types),
    trauma_levels: TRAUMA_LEVELS.filter((level) => level in counts.trauma_levels),
    hospital_statuses: Object.keys(counts.hospital_statuses),
    counts,
  };
}

/** The non-empty parts of the directory: part n has the ids after (n - 1) * `size`. */
export async function selectSitemapParts(db: Db, size: number): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    select distinct (id - 1) / ${size}::integer + 1 as part
    from employers where ${LISTED} order by part`.execute(db);
  return rows.map(({ part }) => part);
}

/** The employers of one part, by id, each with the day it was added to the directory. */
export async function selectSitemapPart(
  db: Db,
  part: number,
  size: number,
): Promise<{ id: number; day: string }[]> {
  const { rows } = await sql<{ id: number; day: string }>`
    select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day
    from employers
    where ${LISTED} and id > ${(part - 1) * size} and id <= ${part * size}
    order by id`.execute(db);
  return rows;
}

/** Which of the given employers each directory search finds, in the order of the searches. */
export async function findAmong(
  deps: ListDeps,
  searches: readonly EmployerQuery[],
  ids: readonly number[],
): Promise<number[][]> {
  const rows = await selectBySearches<{ place: number; id: number }, EmployerCriteria, SearchQuery>(
    deps,
    EMPLOYERS,
    searches.map(({ search: text, ...criteria }) => ({ text, criteria })),
    (place, criteria, search) => sql`
      select ${place}::int as place, id from employers
      where id = any(${ids}::integer[])
        and ${conditionsOf(EMPLOYERS, criteria, search)}`,
  );
  const found: number[][] = searches.map(() => []);
  for (const { place, id } of rows) found[place]?.push(id);
  return found;
}

/** The first matches of a search, best first. The most similar ones if none matches exactly. */
export const selectFirstMatches = async (deps: ListDeps, search: string): Promise<Employer[]> => {
  const criteria = { page: 1, page_size: SUGGESTED_EMPLOYERS };
  const { rows } = await listPage<EmployerRow, EmployerCriteria, SearchQuery>(
    deps,
    EMPLOYERS,
    criteria,
    search,
  );
  return rows.map(toEmployer);
};

/** The first employers that match, not those that are only similar, and the places meant. */
export async function selectSuggested(
  deps: ListDeps,
  search: string,
): Promise<{ employers: Employer[] } & Pick<Suggestions, 'places'>> {
  const meant = await understood(deps, EMPLOYERS, search);
  if (meant?.isClosest !== false) return { employers: [], places: [] };
  const { place } = meant;
  const places = place && isOfPlace(place) ? [place, ...place.namesakes] : [];
  return {
    employers: await selectFirstMatches(deps, search),
    places: places
      .slice(0, SUGGESTED_PLACES)
      .map(({ spelling, state }) => ({ city: spelling, state })),
  };
}
