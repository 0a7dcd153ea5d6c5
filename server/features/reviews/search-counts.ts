import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { SEARCH_COUNT_MAX } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import { type Criteria, meetSearch } from './filter.ts';

/** The search as a query of known words, mistyped ones replaced; null without a word. */
export async function understandSearch(db: Db, search: string): Promise<string | null> {
  const { rows } = await sql<{
    query: string | null;
  }>`select public.forgiving_query(${search})::text as query`.execute(db);
  return rows[0]?.query ?? null;
}

/** One review in 32 is in the sample (reviews_search_sample). */
const SHARE = 32;
const inSample = sql<SqlBool>`get_byte(uuid_send(id), 0) < 8`;
/** Beyond, it does not matter how many more there are. */
const SAMPLE_MAX = 4000;

/** How common a search is, as a sample has it. */
export interface Sampled {
  /** About how many match; infinitely many, where it does not matter. */
  about: number;
  /** Whether there are `max` for certain. */
  isMost: boolean;
}

/**
 * Looks a search up in the sample. Where this has 1.5 times the share that `max` matches would
 * have in it, there are more: ids are random, and that fewer than 10,000 matches have 469 in the
 * sample, and not some 312, has a chance below 10^-15 (Chernoff's bound).
 */
export async function sampleMatches(
  db: Db,
  criteria: Criteria,
  tsquery: string,
  max = SEARCH_COUNT_MAX,
): Promise<Sampled> {
  const matches = matching(db, criteria, tsquery).where(inSample);
  const count = await countUpTo(db, matches, SAMPLE_MAX);
  return {
    about: count < SAMPLE_MAX ? count * SHARE : Number.POSITIVE_INFINITY,
    isMost: count * SHARE >= 1.5 * max,
  };
}

/** How many reviews a search finds, up to SEARCH_COUNT_MAX. */
export const countMatches = (db: Db, criteria: Criteria, tsquery: string): Promise<number> =>
  countUpTo(db, matching(db, criteria, tsquery), SEARCH_COUNT_MAX);

type Matches = SelectQueryBuilder<DB, 'reviews', object>;

const matching = (db: Db, criteria: Criteria, tsquery: string): Matches =>
  meetSearch(db.selectFrom('reviews'), criteria, tsquery);

async function countUpTo(db: Db, matches: Matches, max: number): Promise<number> {
  const { count } = await db
    .selectFrom(matches.limit(sql.lit(max)).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .modifyEnd(UNNAMED)
    .executeTakeFirstOrThrow();
  return count;
}
