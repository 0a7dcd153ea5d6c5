import { type RawBuilder, type SqlBool, sql } from 'kysely';
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

/**
 * Suggestions that hold every word of the search, those that begin with it first; then those that
 * are much like it (position_titles_trigrams).
 */
export async function listPositionTitles(
  db: Db,
  query: { search?: string | undefined; page: number; page_size: number },
) {
  const search = query.search ?? '';
  const words = holdsWords(search);
  const matching = db
    .selectFrom('position_titles')
    .where(sql<SqlBool>`(${words} or public.fold(${search}) <% public.fold(title))`);
  const [titles, { count }] = await Promise.all([
    matching
      .select(['id', 'title'])
      .orderBy(sql`starts_with(public.fold(title), public.fold(${search})) desc`)
      .orderBy(sql`${words} desc`)
      .orderBy(sql`public.fold(title) collate "C"`)
      .limit(query.page_size)
      .offset(offsetOf(query))
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { titles, count };
}

/** 'obgyn' is the key of 'OB/GYN', whatever stands between. */
function holdsWords(search: string): RawBuilder<unknown> {
  const words = search.split(/\s+/).filter(Boolean);
  const held = words.map((word) => {
    const spelledOut = SHORT_FORMS.get(word.toLowerCase());
    return spelledOut
      ? sql`(public.fold(title) like ${holding(spelledOut)}
          or public.fold(title) ~ ('\\m' || ${word.toLowerCase()} || '\\M'))`
      : sql`(public.fold(title) like public.fold(${holding(word)})
          or title_key like '%' || nullif(public.name_key(${word}), '') || '%')`;
  });
  return sql`(${sql.join([sql`title <> ''`, ...held], sql` and `)})`;
}

const holding = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
