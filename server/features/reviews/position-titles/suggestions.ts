import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { JobHandler } from '#server/jobs/settings.ts';
import { offsetOf } from '#server/listing/page.ts';

/** Abbreviations that doctors type for part of a title. */
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

/** Further words of a search are ignored, because few titles have as many. */
const WORDS_MAX = 8;

/**
 * Returns suggestions with every word of the search, those that begin with it first, followed by
 * similar ones.
 */
export async function listPositionTitles(
  db: Db,
  query: { search?: string | undefined; page: number; page_size: number },
): Promise<{ titles: { id: number; title: string }[]; count: number }> {
  const search = query.search ?? '';
  const matches = matchingTitles(search, 'anywhere');
  const [titles, counts] = await Promise.all([
    sql<{ id: number; title: string }>`${matches}
      select id, title from matches
      order by starts_with(folded, public.fold(${search})) desc, holds_words desc,
        -- 'Pediatrician' before 'Pediatric Anesthesiologist'; without a search, by name
        case when ${search} <> '' then char_length(folded) end, folded collate "C"
      limit ${query.page_size} offset ${offsetOf(query)}`.execute(db),
    sql<{ count: number }>`${matches} select count(*) from matches`.execute(db),
  ]);
  return { titles: titles.rows, count: counts.rows[0]?.count ?? 0 };
}

/**
 * Minimum number of published reviews before a title is suggested. It counts reviews, like the
 * public list, and not authors: see docs/anonymity.md, "Position titles".
 */
const USES_FOR_SUGGESTION = 10;

/**
 * Replaces the uncurated suggestions with the titles that have enough published reviews. Only the
 * nightly job calls this. It takes no read locks, and writers of reviews never touch this table, so
 * neither waits.
 */
export function refreshTitles({ db }: { readonly db: Db }): JobHandler<'refresh-titles'> {
  return async () => {
    await sql`
      with used as (
        select position_key from reviews
        where removed_reason is null
          and position_key not in (select title_key from position_titles where curated)
        group by position_key having count(*) >= ${USES_FOR_SUGGESTION}::integer
      ),
      -- The most common spelling (index reviews_by_position).
      spelled as (
        select distinct on (position_key) position_key, position_title as title
        from reviews join used using (position_key)
        where removed_reason is null
        group by position_key, position_title
        order by position_key, count(*) desc, position_title collate "C"
      ),
      left_out as (
        delete from position_titles
        where not curated and title_key not in (select position_key from spelled)
      ),
      respelled as (
        update position_titles set title = spelled.title
        from spelled where title_key = position_key and position_titles.title <> spelled.title
      )
      insert into position_titles (title)
      select title from spelled
      where position_key not in (select title_key from position_titles)
      order by position_key
      on conflict (title_key) do nothing
    `.execute(db);
  };
}

/** Where a title must contain each word of a search. */
const HAS_WORD = {
  anywhere: sql`strpos(folded, word) > 0 or strpos(title_key, key) > 0`,
  atWordStart: sql`folded ~ word_start or starts_with(title_key, key)`,
};

/**
 * The common table expression `matches`. Passes the words as arrays, so that the SQL is the same
 * for every search.
 */
export function matchingTitles(search: string, place: keyof typeof HAS_WORD) {
  const words = wordsOf(search);
  const spelledOut = words.map((word) => SHORT_FORMS.get(word) ?? null);
  return sql`
    with searched as materialized (
      select word, key, whole_word,
        -- escapes regular expression metacharacters
        '\\m' || regexp_replace(word, '([^[:alnum:]])', '\\\\\\1', 'g') as word_start
      from (
        select
          coalesce(spelled_out, public.fold(word)) as word,
          -- 'obgyn' is the key of 'OB/GYN'
          case when spelled_out is null then nullif(public.name_key(word), '') end as key,
          case when spelled_out is not null then '\\m' || word || '\\M' end as whole_word
        from unnest(${words}::text[], ${spelledOut}::text[]) as given (word, spelled_out)
      ) as read
    ),
    -- Each title is folded once.
    folded_titles as materialized (
      select id, title, title_key, public.fold(title) as folded from position_titles
    ),
    titles as (
      select *, not exists (
        select from searched
        where (${HAS_WORD[place]} or folded ~ whole_word) is not true
      ) as holds_words
      from folded_titles
    ),
    matches as (
      select * from titles where holds_words or (select public.fold(${search})) <% folded
    )`;
}

const wordsOf = (search: string) =>
  [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS_MAX);
