import { sql } from 'kysely';
import type { EmployerOrdering } from '#contract/employer-choices.ts';
import type { EmployerQuery } from '#contract/employers.ts';
import type { CategoryRating } from '#contract/review-choices.ts';
import { EMPLOYER_COLUMNS, LISTED } from '#server/features/employers/employer-row.ts';
import { equals, filter, type OptionalFilter } from '#server/listing/filters.ts';
import { filterKey, kept } from '#server/listing/listing.ts';
import { countRows } from '#server/listing/page-query.ts';
import type { Counted, ListDeps, Order, Resource } from '#server/listing/resource.ts';
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
  '-avg_work_life_balance_rating': byCategory('work_life_balance_rating'),
  '-avg_mentorship_growth_rating': byCategory('mentorship_growth_rating'),
  '-avg_team_collaboration_rating': byCategory('team_collaboration_rating'),
  '-avg_compensation_benefits_rating': byCategory('compensation_benefits_rating'),
  '-avg_immigration_support_rating': byCategory('immigration_support_rating'),
};

/** The largest of so many matches are ranked. */
const RANKED = 500;

/** With more matches, reading rows in order and checking each is faster. */
const LOOKED_UP_MAX = 5_000;

export const EMPLOYERS: Resource<EmployerCriteria, SearchQuery> = {
  name: 'employers',
  from: sql`employers ${WITH_RATINGS}`,
  columns: EMPLOYER_COLUMNS.map((column) => sql.ref(column)),
  isListed: LISTED,
  filters: filtersOf,
  orders: ORDERS,
  defaultOrder: 'name',
  sortColumns: sql`id, name_key, alias_keys, sort_name, city, state, bed_count, created_at, hospital_status`,
  ranking: {
    most: RANKED,
    first: LARGEST_FIRST,
    leads: isNamed,
    columns: sql`bed_count`,
    join: WITH_RATINGS,
    score: scoreOf,
    beyond: 'follow',
  },
  understand: understandSearch,
  count: countEmployers,
  countsFirst: false,
  isNarrow: ({ found }) => found <= LOOKED_UP_MAX,
};

/** The first matches of a search, without a count: a bounded count decides how to find them. */
export const FIRST_MATCHES: Resource<EmployerCriteria, SearchQuery> = {
  ...EMPLOYERS,
  async count({ db }, criteria, search) {
    const found = await countRows(db, EMPLOYERS, criteria, search, { most: LOOKED_UP_MAX + 1 });
    return { criteria, found, count: found };
  },
};

function isNamed({ text }: Pick<SearchQuery, 'text'>) {
  // employers_name_key, employers_by_alias
  return sql`(name_key = public.name_key(${text})
    or (alias_keys @> array[public.name_key(${text})] and alias_keys <> '{}'))`;
}

/** Units that the source lists besides their hospital. */
const PART_OF_ONE = '\\m(?:d p aph|transplant|satellite)\\M';

/** The tier of a match (docs/product/employers.md, "Employer directory"), then its reviews. */
function scoreOf({ text, begins, place, also, inName, initials, whole }: SearchQuery) {
  return sql`
  2000.0 * (
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
    - 0.5 * (hospital_status is not distinct from 'Closed' or sort_name ~ ${PART_OF_ONE})::integer
  ) + least(total_reviews, 999)`;
}

function filtersOf(criteria: EmployerCriteria): OptionalFilter[] {
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
      () => sql`id in (select employer_id from employer_ratings where total_reviews > 0)`,
    ),
    filter(
      'integer',
      criteria.min_reviews,
      (reviews) =>
        sql`id in (select employer_id from employer_ratings where total_reviews >= ${reviews})`,
    ),
    // employer_ratings_by_immigration_support
    filter(
      'integer',
      criteria.min_immigration_support_rating,
      (stars) =>
        sql`id in (
          select employer_id from employer_ratings where avg_immigration_support_rating >= ${stars}
        )`,
    ),
    // employer_specialties_by_specialty, employers_by_specialty
    filter(
      'text',
      criteria.specialty,
      (specialty) => sql`id in (
        select employer_id from employer_specialties where specialty = ${specialty}
        union select id from employers where specialty = ${specialty} and ${LISTED}
      )`,
    ),
    filter('integer', min_beds, (beds) => sql`bed_count >= ${beds}`),
    filter('integer', max_beds, (beds) => sql`bed_count <= ${beds}`),
    filter('integer', min_staff, (staff) => sql`staff_count >= ${staff}`),
    filter('integer', max_staff, (staff) => sql`staff_count <= ${staff}`),
  ];
}

async function countEmployers(
  deps: ListDeps,
  criteria: EmployerCriteria,
  search?: SearchQuery,
): Promise<Counted<EmployerCriteria>> {
  const key = `count/${filterKey(criteria)}/${search?.match ?? ''}`;
  const counting = () => countRows(deps.db, EMPLOYERS, criteria, search);
  const { specialty, has_reviews, min_reviews, min_immigration_support_rating } = criteria;
  // What these filters find changes with the reviews.
  const count = await (specialty || has_reviews || min_reviews || min_immigration_support_rating
    ? deps.cache.remember(['employers', 'reviews'], `employers/${key}`, counting)
    : kept(deps, EMPLOYERS, key, counting));
  return { count, found: count, criteria };
}
