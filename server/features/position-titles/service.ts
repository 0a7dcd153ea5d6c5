import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';

/** How many authors must have used a title before it is suggested to others. */
const AUTHORS_FOR_SUGGESTION = 3;

/** Makes a title a suggestion once enough authors have used it. */
export async function suggestTitle(db: Db, title: string): Promise<void> {
  await sql`
    insert into position_titles (title)
    select ${title}::text
    where (
      -- reviews_by_position
      select count(distinct author_key) from reviews
      where position_key = public.name_key(${title}) and removed_reason is null
    ) >= ${AUTHORS_FOR_SUGGESTION}::integer
    on conflict (title_key) do nothing
  `.execute(db);
}
