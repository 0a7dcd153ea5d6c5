import { sql } from 'kysely';
import { SUGGESTED_POSITIONS, SUGGESTED_REVIEWS, SUGGESTED_SPECIALTIES } from '#contract/limits.ts';
import { SPECIALTY_NAMES } from '#contract/specialties.ts';
import { specialtiesMatching, specialtyOfTitle } from '#contract/specialty-of-title.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Db } from '#server/db/open.ts';
import { matchingTitles } from '#server/features/reviews/position-titles/suggestions.ts';
import type { ReviewRow } from '#server/features/reviews/rows/review-row.ts';
import type { ListDeps, Search } from '#server/listing/list.ts';
import { listPage } from '#server/listing/list-page.ts';
import type { ReviewCriteria } from './list-filters.ts';
import { REVIEWS } from './list-query.ts';

/** How many matches are looked up in order to find some with reviews. */
const CANDIDATES = 6;

/** The newest reviews that a search finds. */
export async function suggestReviews(
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
export async function suggestTitles(
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
export async function suggestSpecialties(
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
