import { type RawBuilder, sql } from 'kysely';
import type { ConcernFilter } from '#contract/concerns.ts';
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts';
import { REVIEW_FILTER_CHOICES, type ReviewOrdering } from '#contract/review-choices.ts';
import type { ReviewFilterOptions, ReviewQuery } from '#contract/reviews/review-queries.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import { countAllReviews, selectReviewedCities } from '#server/features/employers/queries.ts';
import { PUBLIC_REPLY } from '#server/features/reviews/rows/reply-queries.ts';
import { REVIEW_COLUMNS } from '#server/features/reviews/rows/review-row.ts';
import {
  type Condition,
  distinctValues,
  equals,
  type Filter,
  filter,
  type List,
  type Order,
  type Search,
} from '#server/listing/list.ts';
import { similarWords, splitsOf, wordsWithPrefix } from '#server/listing/similar-words.ts';

/** Filters, order, and page of the list of published reviews. */
export type ReviewCriteria = Pick<ReviewQuery, 'page' | 'page_size'> &
  Partial<Omit<ReviewQuery, 'search'>> & {
    employer_id?: number;
    concern?: ConcernFilter | undefined;
  };

type ReviewFilters = Omit<ReviewCriteria, 'page' | 'page_size'>;

/** A review that is public. */
const IS_LISTED: Condition = sql`removed_reason is null`;
const RATINGS = Array.from({ length: RATING_MAX }, (_, at) => at + RATING_MIN);

/**
 * The filters of a request, and their terms in the search index. Cities have only a term: no order and
 * no count needs an index of them. Employers and concerns have none: an employer has few reviews.
 */
function filtersOf(criteria: ReviewFilters): Filter[] {
  const { min_rating, max_rating } = criteria;
  // A filter of the query that is missing here does not compile.
  const filters: Record<Exclude<keyof ReviewFilters, 'ordering'>, Filter> = {
    employer_id: equals('employer_id', 'integer', criteria.employer_id),
    position_title: filter(
      'text',
      criteria.position_title,
      (title) => sql`position_key = public.name_key(${title})`,
      (title) => keyTerm('=p', title),
    ),
    specialty: equals('specialty', 'text', criteria.specialty, (name) => keyTerm('=x', name)),
    concern: filter(
      'text',
      criteria.concern,
      (concern) => sql`concerns @> array[${concern}::text]`,
    ),
    state: equals(
      'employer_state',
      'text',
      criteria.state?.toUpperCase(),
      (state) => sql`${keyTerm('=s', state)} and employer_state = ${state}`,
    ),
    city: filter(
      'text[]',
      citiesOf(criteria),
      (any) => sql`search @@ (
        select string_agg(quote_literal('=c' || left(public.name_key(city), ${KEY_MAX})), ' | ')::tsquery
        from unnest(${any}::text[]) city
      )`,
    ),
    min_rating: filter(
      'integer',
      min_rating,
      (stars) => sql`overall_rating >= ${stars}`,
      () => ratingTerms((stars) => stars >= (min_rating ?? RATING_MIN)),
    ),
    max_rating: filter(
      'integer',
      max_rating,
      (stars) => sql`overall_rating <= ${stars}`,
      () => ratingTerms((stars) => stars <= (max_rating ?? RATING_MAX)),
    ),
    would_recommend: equals('would_recommend', 'boolean', criteria.would_recommend, (is) =>
      flagTerm('=w', is),
    ),
    is_current_employee: equals(
      'is_current_employee',
      'boolean',
      criteria.is_current_employee,
      (is) => flagTerm('=e', is),
    ),
  };
  return Object.values(filters);
}

/** In characters. PostgreSQL refuses terms of 2 kB; no name is that long. */
const KEY_MAX = sql.lit(500);

const keyTerm = (kind: string, value: unknown): Condition =>
  sql`search @@ quote_literal(${sql.lit(kind)} || left(public.name_key(${value}), ${KEY_MAX}))::tsquery`;
const flagTerm = (kind: string, value: unknown): Condition =>
  sql`search @@ quote_literal(${sql.lit(kind)} || ${value}::boolean)::tsquery`;
const ratingTerms = (isIn: (stars: number) => boolean): Condition =>
  sql`search @@ ${RATINGS.filter(isIn)
    .map((stars) => `'=r${stars}'`)
    .join(' | ')}::tsquery`;

/** Undefined without a city. */
function citiesOf({ city }: ReviewFilters): string[] | undefined {
  const cities = (city ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return cities.length > 0 ? cities : undefined;
}

const WORDS_MAX = 12;
/** The space between words, as PostgreSQL's parser names it. */
const BLANK = 12;
/** If more words start with a prefix, the search matches the prefix itself. */
const WORDS_PER_PREFIX_MAX = 30;

/**
 * Turns a search into a query of known words: each typed word becomes the words that start with it,
 * or the two words that it was run together from, or similar words. Null if the search has no words.
 */
async function understandSearch(db: Db, text: string): Promise<Search | null> {
  const { words } = await db
    .selectNoFrom(
      // As PostgreSQL reads the words of reviews: "6e1f" is the number 6e1 and the word f.
      sql<string[]>`array(
        select token from ts_parse('default', public.plain_words(${text}))
        where tokid <> ${sql.lit(BLANK)}
      )`.as('words'),
    )
    .executeTakeFirstOrThrow();
  const searched = words.slice(0, WORDS_MAX);
  if (searched.length === 0) return null;
  const known = await wordsWithPrefix(db, 'search_words', searched, WORDS_PER_PREFIX_MAX + 1);
  const unknown = searched.filter((word) => known.get(word)?.length === 0);
  const splits = await knownSplits(db, unknown);
  const misspelt = unknown.filter((word) => splits.get(word)?.length === 0);
  const corrected = misspelt.length > 0 ? await correctedWords(db, misspelt) : null;
  const terms = searched.map((word) => {
    const withPrefix = known.get(word) ?? [];
    // A single letter only matches itself: most reviews have some word that starts with it.
    if (word.length === 1 && withPrefix[0] === word) return [word];
    return withPrefix.length > 0 ? withPrefix : (corrected?.get(word) ?? []);
  });
  return {
    match: terms
      .map((term, at) => {
        const word = searched[at] ?? '';
        const pairs = splits.get(word) ?? [];
        return pairs.length > 0 ? eitherPair(pairs) : termOf(term, word);
      })
      .join(' & '),
    isClosest: unknown.length > 0,
  };
}

/** For each unknown word, the similar words, and the words that start with those if they are few. */
async function correctedWords(db: Db, unknown: string[]): Promise<Map<string, string[]>> {
  const similar = await similarWords(db, 'search_words', unknown);
  const known = await wordsWithPrefix(
    db,
    'search_words',
    [...new Set([...similar.values()].flat())],
    WORDS_PER_PREFIX_MAX + 1,
  );
  const corrected = [...similar].map(([word, words]): [string, string[]] => {
    const withPrefix = [...new Set(words.flatMap((one) => known.get(one) ?? []))];
    return [word, withPrefix.length <= WORDS_PER_PREFIX_MAX ? withPrefix : words];
  });
  return new Map(corrected);
}

/** For each unknown word, the ways to split it into two known words. */
async function knownSplits(
  db: Db,
  unknown: readonly string[],
): Promise<Map<string, [string, string][]>> {
  const halves = [...new Set(unknown.flatMap(splitsOf).flat())];
  const found = halves.length > 0 ? await wordsWithPrefix(db, 'search_words', halves, 1) : null;
  const isKnown = (half: string) => found?.get(half)?.[0] === half;
  return new Map(
    unknown.map((word) => [word, splitsOf(word).filter((pair) => pair.every(isKnown))]),
  );
}

const eitherPair = (pairs: readonly (readonly [string, string])[]) =>
  `(${pairs.map(([left, right]) => `('${left}' & '${right}')`).join(' | ')})`;

const termOf = (words: readonly string[], prefix: string) =>
  words.length > 0 && words.length <= WORDS_PER_PREFIX_MAX
    ? `(${words.map((word) => `'${word}'`).join(' | ')})`
    : `'${prefix}':*`;

// reviews_newest
const NEWEST_FIRST = sql`created_at desc, id`;

// reviews_by_rating has each rating's reviews, newest first.
const byRating = (by: RawBuilder<unknown>, ratings: readonly number[]): Order<ReviewCriteria> => ({
  by: sql`${by}, ${NEWEST_FIRST}`,
  groups: ({ min_rating = RATING_MIN, max_rating = RATING_MAX }) =>
    ratings
      .filter((rating) => rating >= min_rating && rating <= max_rating)
      .map((rating) => ({
        by: NEWEST_FIRST,
        holds: sql`overall_rating = ${rating}`,
        found: ratingTerms((stars) => stars === rating),
      })),
});

/** Ties are ordered newest first, then by id. */
const ORDERS: Record<ReviewOrdering, Order<ReviewCriteria>> = {
  '-created_at': { by: NEWEST_FIRST },
  created_at: { by: sql`created_at, id desc` },
  '-overall_rating': byRating(sql`overall_rating desc`, RATINGS.toReversed()),
  overall_rating: byRating(sql`overall_rating`, RATINGS),
  // reviews_helpful
  '-helpful': { by: sql`helpful_score desc, ${NEWEST_FIRST}` },
};

export const REVIEWS: List<ReviewCriteria, Search> = {
  name: 'reviews',
  idType: 'uuid',
  from: sql`reviews`,
  columns: [...REVIEW_COLUMNS.map((column) => sql.ref(column)), sql`${PUBLIC_REPLY} as reply`],
  isListed: IS_LISTED,
  filters: filtersOf,
  filteredBy: ['reviews'],
  orders: ORDERS,
  defaultOrder: '-created_at',
  sortColumns: sql`id, created_at, overall_rating, helpful_score`,
  ranking: {
    score: ({ match }) => sql`ts_rank(search, ${match}::tsquery)`,
    ties: { by: NEWEST_FIRST },
    tooMany: '-created_at',
  },
  understand: understandSearch,
};

/** Published reviews by day, never finer. Within a day, ids are in random order. */
const DAY = sql`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`;

/** The days with a review, newest first. Skips from one to the next in the index reviews_newest. */
export async function selectDays(db: Db): Promise<string[]> {
  const newest = (until: string) => sql`
    select ${DAY} as day from reviews
    where removed_reason is null and created_at < ${sql.raw(until)}
    order by created_at desc, id limit 1`;
  const { rows } = await sql<{ day: string }>`
    with recursive days as (
      (${newest("'infinity'")})
      union all
      select before.day from days, lateral (
        ${newest("days.day::date::timestamp at time zone 'UTC'")}
      ) as before
    )
    select day from days`.execute(db);
  return rows.map(({ day }) => day);
}

/** The ids of the reviews between two days, by day. Only the first `most`. */
export async function selectIdsByDay(
  db: Db,
  from: string,
  until: string,
  most: number,
): Promise<{ day: string; ids: string[] }[]> {
  const { rows } = await sql<{ day: string; ids: string[] }>`
    select day, array_agg(id::text order by id) as ids from (
      select ${DAY} as day, id from reviews
      where removed_reason is null
        and created_at >= ${from}::timestamp at time zone 'UTC'
        and created_at < ${until}::timestamp at time zone 'UTC'
      order by created_at desc, id limit ${most}
    ) as published
    group by day order by day desc ${UNNAMED}`.execute(db);
  return rows;
}

/** The choices of the list's filters, from the published reviews. */
export async function selectFilterOptions(db: Db): Promise<ReviewFilterOptions> {
  const [position_titles, specialties, states, cities, total_reviews] = await Promise.all([
    selectPositionTitles(db),
    choicesOfColumn(db, 'specialty'),
    choicesOfColumn(db, 'employer_state'),
    selectReviewedCities(db),
    countAllReviews(db),
  ]);
  return {
    position_titles,
    specialties,
    states,
    cities,
    total_reviews,
    rating_options: [...REVIEW_FILTER_CHOICES.min_rating],
    recommendation_options: [...REVIEW_FILTER_CHOICES.would_recommend],
    employment_status_options: [...REVIEW_FILTER_CHOICES.is_current_employee],
  };
}

/** The first column of reviews_by_specialty or reviews_by_state. */
const choicesOfColumn = (db: Db, column: 'specialty' | 'employer_state') =>
  distinctValues(
    db,
    (after) => sql`
      select ${sql.ref(column)} as key, ${sql.ref(column)} as value from reviews
      where removed_reason is null and ${sql.ref(column)} > ${after}
      order by ${sql.ref(column)} limit 1`,
  );

/** Each title, spelled as in its newest review (reviews_by_position). */
const selectPositionTitles = (db: Db) =>
  distinctValues(
    db,
    (after) => sql`
      select position_key as key, position_title as value from reviews
      where removed_reason is null and position_key > ${after}
      order by position_key, created_at desc, id limit 1`,
  );
