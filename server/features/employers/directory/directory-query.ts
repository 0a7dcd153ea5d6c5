import { type RawBuilder, sql } from 'kysely';
import type { EmployerOrdering } from '#contract/employers/employer-choices.ts';
import type { EmployerQuery } from '#contract/employers/employers.ts';
import { type CategoryRating, perCategory } from '#contract/review-choices.ts';
import { EMPLOYER_COLUMNS, LISTED } from '#server/features/employers/employer-row.ts';
import { type Condition, equals, type Filter, filter } from '#server/listing/filters.ts';
import type { List, Order } from '#server/listing/list.ts';
import { type SearchQuery, understandSearch } from './search.ts';

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

function isNamed({ text }: Pick<SearchQuery, 'text'>) {
  // employers_name_key, employers_by_alias
  return sql`(name_key = public.name_key(${text})
    or (alias_keys @> array[public.name_key(${text})] and alias_keys <> '{}'))`;
}

/** Units that the source lists besides their hospital. */
const PART_OF_ONE = '\\m(?:d p aph|transplant|satellite)\\M';

/** The tier of a match (docs/product/employers.md, "Employer directory"). */
function tierOf({ text, begins, place, also, inName, initials, whole }: SearchQuery) {
  return sql`
    case
      when ${isNamed({ text })} then 8
      when sort_name ~ ${begins.whole} then 7
      when sort_name ~ ${begins.any} then 6
      when public.plain_words(city) = ${place?.city ?? ''} and state = ${place?.state ?? ''} then 5
      when ${also ?? sql`false`} then 5
      when search @@ ${inName}::tsquery then 4
      when search @@ ${initials ?? ''}::tsquery then 3
      when search @@ ${whole}::tsquery then 2
      else 1
    end
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
