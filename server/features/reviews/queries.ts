import {
  type Insertable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import type { ReviewFilterOptions, ReviewOrdering, ReviewQuery } from '#contract/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { prefixQuery } from '#server/db/search.ts';
import type { DB } from '#server/db/types.ts';
import { offsetOf } from '#server/paging.ts';
import { REVIEW_COLUMNS, reviewsWithEmployer } from './review-row.ts';

export type ReviewFilter = Pick<ReviewQuery, 'page' | 'page_size' | 'ordering'> &
  Partial<ReviewQuery> & { employer_id?: number };

type Reviews<O> = SelectQueryBuilder<DB, 'reviews' | 'employers', O>;

/** One page of the published reviews. */
export function selectReviews(db: Db, filter: ReviewFilter) {
  return orderReviews(
    filterReviews(reviewsWithEmployer(db), filter).select(REVIEW_COLUMNS),
    filter.ordering,
  )
    .limit(filter.page_size)
    .offset(offsetOf(filter))
    .execute();
}

/** How many published reviews pass the filter. */
export async function countReviews(db: Db, filter: ReviewFilter): Promise<number> {
  const { count } = await filterReviews(reviewsWithEmployer(db), filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function filterReviews<O>(reviews: Reviews<O>, filter: ReviewFilter): Reviews<O> {
  const cities = (filter.city ?? '')
    .split(',')
    .map((city) => city.trim())
    .filter(Boolean);
  return reviews
    .where('reviews.removed_reason', 'is', null)
    .$if(filter.employer_id !== undefined, (q) =>
      q.where('reviews.employer_id', '=', filter.employer_id ?? 0),
    )
    .$if(!!filter.search, (q) => q.where(matches(filter.search ?? '')))
    .$if(!!filter.position_title, (q) =>
      q.where('reviews.position_key', '=', sql<string>`public.name_key(${filter.position_title})`),
    )
    .$if(!!filter.state, (q) =>
      q.where('reviews.employer_state', '=', (filter.state ?? '').toUpperCase()),
    )
    .$if(cities.length > 0, (q) =>
      q.where(sql<SqlBool>`reviews.employer_city = any(${cities}::text[])`),
    )
    .$if(filter.min_rating !== undefined, (q) =>
      q.where('reviews.overall_rating', '>=', filter.min_rating ?? 0),
    )
    .$if(!!filter.would_recommend, (q) =>
      q.where('reviews.would_recommend', '=', filter.would_recommend === 'true'),
    )
    .$if(!!filter.is_current_employee, (q) =>
      q.where('reviews.is_current_employee', '=', filter.is_current_employee === 'true'),
    );
}

/** Word prefixes in the review, or in its employer's name and place. */
function matches(search: string) {
  const query = prefixQuery(search);
  return sql<SqlBool>`(reviews.search @@ ${query} or employers.search @@ ${query})`;
}

function orderReviews<O>(reviews: Reviews<O>, ordering: ReviewOrdering | undefined) {
  const newest = (q: Reviews<O>) => q.orderBy('reviews.created_at', 'desc').orderBy('reviews.id');
  switch (ordering) {
    case 'created_at':
      return reviews.orderBy('reviews.created_at').orderBy('reviews.id', 'desc');
    case '-overall_rating':
      return newest(reviews.orderBy('reviews.overall_rating', 'desc'));
    case 'overall_rating':
      return newest(reviews.orderBy('reviews.overall_rating'));
    default:
      return newest(reviews);
  }
}

/** All of an author's reviews, newest first. */
export function selectByAuthor(db: Db, authorKey: Buffer) {
  return reviewsWithEmployer(db)
    .select(REVIEW_COLUMNS)
    .where('reviews.author_key', '=', authorKey)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id')
    .execute();
}

export function selectReview(db: Db, id: string) {
  return reviewsWithEmployer(db)
    .select(REVIEW_COLUMNS)
    .where('reviews.id', '=', id)
    .where('reviews.removed_reason', 'is', null)
    .executeTakeFirst();
}

/** The new review's id, or null when the author has one for this employer and position. */
export async function insertReview(
  db: Db,
  review: Insertable<DB['reviews']>,
): Promise<string | null> {
  const inserted = await db
    .insertInto('reviews')
    .values(review)
    .onConflict((conflict) => conflict.constraint('reviews_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/** The author's review of this employer in this position. */
export function findSame(
  db: Db,
  authorKey: Buffer,
  employerId: number,
  positionTitle: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('reviews')
    .select('id')
    .where('author_key', '=', authorKey)
    .where('employer_id', '=', employerId)
    .where('position_key', '=', sql<string>`public.name_key(${positionTitle})`)
    .executeTakeFirst();
}

/** False when there is no such review of this author. */
export async function updateReview(
  db: Db,
  id: string,
  authorKey: Buffer,
  change: Updateable<DB['reviews']>,
): Promise<boolean> {
  const updated = await db
    .updateTable('reviews')
    .set(change)
    .where('id', '=', id)
    .where('author_key', '=', authorKey)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** False when there is no such review of this author. */
export async function deleteReview(db: Db, id: string, authorKey: Buffer): Promise<boolean> {
  const deleted = await db
    .deleteFrom('reviews')
    .where('id', '=', id)
    .where('author_key', '=', authorKey)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** What the list's filters can be set to, from the reviews that are there. */
export async function selectFilterValues(
  db: Db,
): Promise<Pick<ReviewFilterOptions, 'position_titles' | 'states' | 'cities' | 'total_reviews'>> {
  const published = db.selectFrom('reviews').where('removed_reason', 'is', null);
  const reviewed = db
    .selectFrom('employers')
    .innerJoin('employer_ratings', 'employer_ratings.employer_id', 'employers.id')
    .where('total_reviews', '>', 0);
  const [titles, states, cities, total] = await Promise.all([
    published
      .select((eb) => eb.fn.min('position_title').as('title'))
      .groupBy('position_key')
      .orderBy('title')
      .execute(),
    reviewed.select('state').distinct().where('state', 'is not', null).orderBy('state').execute(),
    reviewed.select('city').distinct().where('city', 'is not', null).orderBy('city').execute(),
    db
      .selectFrom('employer_ratings')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('total_reviews'), eb.lit(0)).as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    position_titles: titles.map(({ title }) => title),
    states: states.flatMap(({ state }) => state ?? []),
    cities: cities.flatMap(({ city }) => city ?? []),
    total_reviews: Number(total.count),
  };
}
