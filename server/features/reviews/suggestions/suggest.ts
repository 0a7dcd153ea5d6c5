import type { FastifyPluginAsync } from 'fastify';
import { sql } from 'kysely';
import { suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import { SUGGESTED_POSITIONS, SUGGESTED_REVIEWS, SUGGESTED_SPECIALTIES } from '#contract/limits.ts';
import { plainLetters } from '#contract/plain-letters.ts';
import { REVIEW_TEXT_KEYS, type ReviewText } from '#contract/review-choices.ts';
import { specialtiesMatching, specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import type { Suggestions } from '#contract/reviews/suggestions.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { Deps } from '#server/deps.ts';
import {
  selectFirstMatches,
  selectSuggested,
} from '#server/features/employers/directory/directory-query.ts';
import { REVIEWS, type ReviewCriteria } from '#server/features/reviews/list/list-query.ts';
import { matchingTitles } from '#server/features/reviews/position-titles/suggestions.ts';
import type { ReviewRow } from '#server/features/reviews/rows/review-row.ts';
import type { ListDeps, Search } from '#server/listing/list.ts';
import { listPage } from '#server/listing/list-page.ts';
import { route } from '#server/plugins/route.ts';

/** What the search boxes suggest (docs/product.md, "Search boxes"). */
export function suggestionRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    const fromAll = { madeFrom: ['employers', 'reviews', 'position_titles'] } as const;
    route(app, suggestionEndpoints.list, fromAll, ({ query }) => suggest(deps, query.search));
  };
}

/** How many matches are looked up in order to find some with reviews. */
const CANDIDATES = 6;

/** The newest reviews that a search finds. */
async function suggestReviews(
  deps: ListDeps,
  search: string,
): Promise<{ results: ReviewRow[]; isClosest: boolean }> {
  const criteria = { page: 1, page_size: SUGGESTED_REVIEWS, ordering: '-created_at' } as const;
  const { rows, isClosest } = await listPage<ReviewRow, ReviewCriteria, Search>(
    deps,
    REVIEWS,
    criteria,
    search,
  );
  return { results: rows, isClosest };
}

interface CountedTitle {
  title: string;
  count: number;
}

/** Suggested position titles that have published reviews, with their number. */
async function suggestTitles(
  db: Db,
  search: string,
): Promise<{ results: CountedTitle[]; isClosest: boolean }> {
  const { rows } = await sql<CountedTitle & { holds_words: boolean }>`
    ${matchingTitles(search, 'atWordStart')},
    candidates as (
      select title, title_key, holds_words, row_number() over (
        order by holds_words desc, starts_with(folded, public.fold(${search})) desc,
          char_length(folded), folded collate "C"
      ) as place
      from matches order by place limit ${sql.lit(CANDIDATES)}
    )
    select title, holds_words, count from candidates, lateral (
      -- reviews_by_position
      select count(*) from reviews where removed_reason is null and position_key = title_key
    ) as reviews
    where count > 0 order by place`.execute(db);
  const exact = rows.filter(({ holds_words }) => holds_words);
  const shown = exact.length > 0 ? exact : rows;
  return {
    results: shown.slice(0, SUGGESTED_POSITIONS).map(({ title, count }) => ({ title, count })),
    isClosest: exact.length === 0,
  };
}

/** Specialties that the search names, or begins to name, with the number of their reviews. */
async function suggestSpecialties(
  db: Db,
  search: string,
): Promise<{ specialty: string; count: number }[]> {
  const named = specialtyOfTitle(search);
  const typed = search.trim().toLowerCase();
  // Names before aliases.
  const rank = (name: string) => {
    if (name === named) return 0;
    if (name.toLowerCase().startsWith(typed)) return 1;
    return ` ${name.toLowerCase()}`.includes(` ${typed}`) ? 2 : 3;
  };
  const names = specialtiesMatching(search).toSorted((one, other) => rank(one) - rank(other));
  const candidates = names.slice(0, CANDIDATES);
  // A text without words, such as "of the", matches every specialty.
  if (candidates.length === 0 || names.length === SPECIALTY_NAMES.length) return [];
  // reviews_by_specialty
  const rows = await db
    .selectFrom('reviews')
    .select(['specialty', (eb) => eb.fn.countAll<number>().as('count')])
    .where('removed_reason', 'is', null)
    .where('specialty', '=', anyOf('text', candidates))
    .groupBy('specialty')
    .execute();
  const counts = new Map(rows.map(({ specialty, count }) => [specialty, count]));
  return candidates
    .flatMap((specialty) => {
      const count = counts.get(specialty) ?? 0;
      return count > 0 ? [{ specialty, count }] : [];
    })
    .slice(0, SUGGESTED_SPECIALTIES);
}

const AROUND_MAX = 110;
/** How many words are shown before the one that was searched for. */
const WORDS_BEFORE = 5;
/** Further words of a search are ignored. */
const SEARCHED_MAX = 12;

const plain = (text: string) =>
  plainLetters(text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''));
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

/**
 * A few words of the first text that contains a search word, around that word; otherwise the
 * beginning of the first text.
 */
export function excerptAround(review: Record<ReviewText, string>, search: string): string {
  const searched = (plain(search).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, SEARCHED_MAX);
  const isSearched = (word: string) => {
    const letters = plain(word).replace(/^[^\p{L}\p{N}]+/u, '');
    return searched.some((prefix) => letters.startsWith(prefix));
  };
  for (const field of REVIEW_TEXT_KEYS) {
    const words = wordsOf(review[field]);
    const at = words.findIndex(isSearched);
    if (at >= 0) return cut(words, Math.max(0, at - WORDS_BEFORE));
  }
  return cut(wordsOf(review.review_text), 0);
}

function cut(words: readonly string[], start: number): string {
  const rest = words.slice(start, start + AROUND_MAX).join(' ');
  const isLong = rest.length > AROUND_MAX;
  // At the end of a word, if there is one.
  const short = isLong ? rest.slice(0, AROUND_MAX).replace(/\s\S*$|[\uD800-\uDBFF]$/, '') : rest;
  return `${start > 0 ? '… ' : ''}${short}${isLong ? ' …' : ''}`;
}

/** The first matches of each kind. Similar ones only if nothing of any kind matches exactly. */
export async function suggest(
  deps: Pick<Deps, 'db' | 'cache'>,
  search: string,
): Promise<Suggestions> {
  const [{ employers, places }, specialties, titles, reviews] = await Promise.all([
    selectSuggested(deps, search),
    suggestSpecialties(deps.db, search),
    suggestTitles(deps.db, search),
    suggestReviews(deps, search),
  ]);
  const isExact = employers.length + specialties.length > 0 || [titles, reviews].some(matchExactly);
  const shown = isExact ? employers : await selectFirstMatches(deps, search);
  const found = shown.length + titles.results.length + reviews.results.length;
  return {
    is_closest: !isExact && found > 0,
    places,
    employers: shown.map(({ id, name, city, state, overall_rating, total_reviews }) => ({
      id,
      name,
      city,
      state,
      overall_rating,
      total_reviews,
    })),
    specialties,
    position_titles: isExact && titles.isClosest ? [] : titles.results,
    reviews: (isExact && reviews.isClosest ? [] : reviews.results).map((review) => ({
      id: review.id,
      employer_name: review.employer_name,
      position_title: review.position_title,
      overall_rating: review.overall_rating,
      excerpt: excerptAround(review, search),
    })),
  };
}

const matchExactly = ({ results, isClosest }: { results: unknown[]; isClosest: boolean }) =>
  results.length > 0 && !isClosest;
