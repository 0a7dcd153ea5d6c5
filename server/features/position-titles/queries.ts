import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { offsetOf } from '#server/paging.ts';

/** Suggestions that hold every word of the search, those that begin with it first. */
export async function listPositionTitles(
  db: Db,
  query: { search?: string | undefined; page: number; page_size: number },
) {
  const search = query.search ?? '';
  const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  const words = search.split(/\s+/).filter(Boolean);
  const matching = words.reduce(
    (titles, word) =>
      titles.where(sql`public.fold(title)`, 'like', sql`public.fold(${pattern(word)})`),
    db.selectFrom('position_titles'),
  );
  const [titles, { count }] = await Promise.all([
    matching
      .select(['id', 'title'])
      .orderBy(sql`starts_with(public.fold(title), public.fold(${search})) desc`)
      .orderBy(sql`public.fold(title)`)
      .limit(query.page_size)
      .offset(offsetOf(query))
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { titles, count };
}
