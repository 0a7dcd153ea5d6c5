import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { offsetOf } from '#server/paging.ts';

/** What doctors type for a part of a title that is spelled out. */
const SHORT_FORMS = new Map([
  ['ed', 'emergency'],
  ['em', 'emergency'],
  ['ent', 'otolaryng'],
  ['er', 'emergency'],
  ['fm', 'family'],
  ['gi', 'gastroenter'],
  ['id', 'infectious'],
  ['im', 'intern'],
  ['pcp', 'primary care'],
  ['peds', 'pediatric'],
  ['pmr', 'physiatr'],
]);

/** Further words of a search do not count: few titles have as many. */
const MOST_WORDS = 8;

/**
 * Suggestions that hold every word of the search, those that begin with it first; then those that
 * are much like it.
 */
export async function listPositionTitles(
  db: Db,
  query: { search?: string | undefined; page: number; page_size: number },
): Promise<{ titles: { id: number; title: string }[]; count: number }> {
  const search = query.search ?? '';
  const matches = matching(search);
  const [titles, counts] = await Promise.all([
    sql<{ id: number; title: string }>`${matches}
      select id, title from matches
      order by starts_with(folded, public.fold(${search})) desc, holds_words desc,
        folded collate "C"
      limit ${query.page_size} offset ${offsetOf(query)}`.execute(db),
    sql<{ count: number }>`${matches} select count(*) from matches`.execute(db),
  ]);
  return { titles: titles.rows, count: counts.rows[0]?.count ?? 0 };
}

/** The words go in as arrays, so that the SQL is the same for every search. */
function matching(search: string) {
  const words = wordsOf(search);
  const spelledOut = words.map((word) => SHORT_FORMS.get(word) ?? null);
  return sql`
    with asked as materialized (
      select
        -- '%', '_' and '\\' stand for themselves
        '%' || regexp_replace(
          coalesce(spelled_out, public.fold(word)), '([\\\\%_])', '\\\\\\1', 'g') || '%' as part,
        -- 'obgyn' is the key of 'OB/GYN', whatever stands between
        case when spelled_out is null
          then '%' || nullif(public.name_key(word), '') || '%' end as key_part,
        case when spelled_out is not null then '\\m' || word || '\\M' end as whole_word
      from unnest(${words}::text[], ${spelledOut}::text[]) as given (word, spelled_out)
    ),
    titles as (
      select id, title, public.fold(title) as folded, not exists (
        select from asked
        where (public.fold(title) like part or title_key like key_part
          or public.fold(title) ~ whole_word) is not true
      ) as holds_words
      from position_titles
    ),
    matches as (
      select * from titles where holds_words or public.fold(${search}) <% folded
    )`;
}

const wordsOf = (search: string) =>
  [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS);
