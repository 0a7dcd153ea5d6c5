import { sql } from 'kysely';
import { EXCERPT_MAX, QUOTED_FROM } from '#contract/limits.ts';
import type { ReviewFilterOptions } from '#contract/reviews/review-queries.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { EmployerQuotes } from '#server/features/employers/from-reviews.ts';
import {
  REVIEWS,
  type ReviewCriteria,
  selectDays,
  selectFilterOptions,
} from '#server/features/reviews/list/list-query.ts';
import type { ListDeps, Search } from '#server/listing/list.ts';
import { kept, listPage } from '#server/listing/list-page.ts';
import * as queries from './rows/queries.ts';
import { type ReviewRow, toReview } from './rows/review-row.ts';

/** One page of the published reviews, and the number on all pages. */
export async function listReviews(
  deps: ListDeps & Pick<Deps, 'clock'>,
  { search, ...criteria }: ReviewCriteria & { search?: string | undefined },
): Promise<{ results: Review[]; count: number; isClosest: boolean }> {
  const { rows, ...found } = await listPage<ReviewRow, ReviewCriteria, Search>(
    deps,
    REVIEWS,
    criteria,
    search,
  );
  const now = deps.clock();
  return { ...found, results: rows.map((row) => toReview(row, now)) };
}

/** The choices of the list's filters. */
export const reviewFilterOptions = (deps: ListDeps): Promise<ReviewFilterOptions> =>
  kept(deps, REVIEWS, 'filter-options', () => selectFilterOptions(deps.db));

/** The days on which a published review was written, newest first. */
export const reviewDays = (deps: ListDeps): Promise<string[]> =>
  kept(deps, REVIEWS, 'days', () => selectDays(deps.db));

/** A published review. Throws `not_found`. */
export async function readReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<Review> {
  const row = await queries.selectReview(db, id);
  if (!row) throw new AppError('not_found');
  return toReview(row, clock());
}

// What employers need of reviews.

/**
 * The positions in the reviews of the employer `employers` in the enclosing query, most frequent
 * first, from the index reviews_by_employer alone. `count` is in the specialty, if there is one.
 * `recent_…` are those since a given day.
 */
export const positionsWithRecent = (since: Date, specialty: string | null) => sql`(
  select coalesce(json_agg(positions order by count desc, title), '[]') from (
    select min(position_title) as title,
      count(*) filter (where ${specialty}::text is null or specialty = ${specialty}),
      max(created_at) as newest,
      count(*) filter (where created_at >= ${since}) as recent_count,
      coalesce(sum(overall_rating) filter (where created_at >= ${since}), 0) as recent_sum
    from reviews
    where employer_id = employers.id and removed_reason is null
    group by position_key
  ) as positions)`;

/** Blocks all other writers of reviews until the transaction ends; reads continue. */
export async function lockReviews(trx: Db): Promise<void> {
  await sql`lock table reviews in share row exclusive mode`.execute(trx);
}

/** All reviews of an employer, including those that are not public. */
export async function countReviews(db: Db, employerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('reviews')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('employer_id', '=', employerId)
    .executeTakeFirstOrThrow();
  return count;
}

/** What a review shows of the employer that it moves to, from the row of `employers`. */
const NEW_EMPLOYER = {
  employer_id: sql.ref<number>('employers.id'),
  employer_name: sql.ref<string>('employers.name'),
  employer_state: sql.ref<string | null>('employers.state'),
  employer_city: sql.ref<string | null>('employers.city'),
  settled: false,
};

/** Moves all reviews to the employer that another one was merged into. Returns how many. */
export async function moveReviews(trx: Db, from: number, into: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reviews')
    .from('employers')
    .set((eb) => ({
      ...NEW_EMPLOYER,
      merged_from: eb.fn.coalesce('merged_from', 'employer_id'),
    }))
    .where('employer_id', '=', from)
    .where('employers.id', '=', into)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Moves the reviews that came from an employer, or from those merged into it earlier, back to it.
 * Returns how many. `written_for` does not change, and so neither do the jobs in `review_authors`.
 */
export async function returnReviews(
  trx: Db,
  { current, id, followed }: { current: number; id: number; followed: readonly number[] },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reviews')
    .from('employers')
    .set({ ...NEW_EMPLOYER, merged_from: sql`nullif(merged_from, ${id}::integer)` })
    .where('employer_id', '=', current)
    .where('merged_from', '=', anyOf('integer', [id, ...followed]))
    .where('employers.id', '=', id)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

interface QuoteRow {
  employer_id: number;
  newest: Date;
  kind: 'pro' | 'con' | null;
  review_id: string | null;
  text: string | null;
}

/**
 * The newest review of each employer, and a pro and a con from its most helpful reviews. Everything
 * except the quoted texts is read from the index reviews_by_employer alone.
 */
export async function selectQuotes(
  db: Db,
  employerIds: readonly number[],
  specialty: string | null,
): Promise<Map<number, EmployerQuotes>> {
  const { rows } = await sql<QuoteRow>`
    with helpful as materialized (
      select found.* from unnest(${employerIds}::integer[]) as wanted (id) cross join lateral (
        select employer_id, id, max(created_at) over () as newest,
          row_number() over (order by helpful_score desc, created_at desc, id) as place
        from reviews
        where employer_id = wanted.id and removed_reason is null
          and (${specialty}::text is null or specialty = ${specialty}::text)
        order by place limit ${sql.lit(QUOTED_FROM)}
      ) as found
    ), quotes as (
      select distinct on (helpful.employer_id, kind) helpful.employer_id, kind,
        helpful.id as review_id, left(text, ${sql.lit(2 * EXCERPT_MAX)}) as text
      from helpful join reviews on reviews.id = helpful.id
        cross join lateral (values ('pro', pros), ('con', cons)) as said (kind, text)
      where text <> ''
      order by helpful.employer_id, kind, place
    )
    select employer_id, newest, kind, review_id, text
    from helpful left join quotes using (employer_id) where place = 1
  `.execute(db);
  const quotes = new Map<number, EmployerQuotes>();
  for (const { employer_id, newest, kind, review_id, text } of rows) {
    const found = quotes.get(employer_id) ?? { newest, pro: null, con: null };
    if (kind && review_id && text) found[kind] = { review_id, excerpt: excerptOf(text) };
    quotes.set(employer_id, found);
  }
  return quotes;
}

/** The first sentences that fit; if none does, the first words. */
export function excerptOf(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= EXCERPT_MAX) return plain;
  const start = plain.slice(0, EXCERPT_MAX);
  const sentences = Math.max(...['. ', '! ', '? '].map((end) => start.lastIndexOf(end)));
  if (sentences >= EXCERPT_MAX / 3) return start.slice(0, sentences + 1);
  const words = start.lastIndexOf(' ');
  // Do not cut within a character of two code units.
  const cut = words > 0 ? start.slice(0, words) : start.replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/[,;:]$/, '')}…`;
}
