import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { UNNAMED } from '#server/db/statements.ts';

/** Published reviews by day, never finer. Within a day, ids are in random order. */
const DAY = sql`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`;

/** The days with a review, newest first. Skips from one to the next in the index reviews_newest. */
export async function selectDays(db: Db): Promise<string[]> {
  const newest = (until: string) => sql`
    select ${DAY} as day from reviews
    where removed_reason is null and created_at < ${sql.raw(until)}
    order by created_at desc, id limit 1`;
  const { rows } = await sql<{ day: string }>`
    with recursive days as (
      (${newest("'infinity'")})
      union all
      select before.day from days, lateral (
        ${newest("days.day::date::timestamp at time zone 'UTC'")}
      ) as before
    )
    select day from days`.execute(db);
  return rows.map(({ day }) => day);
}

/** The ids of the reviews between two days, by day. Only the first `most`. */
export async function selectIdsByDay(
  db: Db,
  from: string,
  until: string,
  most: number,
): Promise<{ day: string; ids: string[] }[]> {
  const { rows } = await sql<{ day: string; ids: string[] }>`
    select day, array_agg(id::text order by id) as ids from (
      select ${DAY} as day, id from reviews
      where removed_reason is null
        and created_at >= ${from}::timestamp at time zone 'UTC'
        and created_at < ${until}::timestamp at time zone 'UTC'
      order by created_at desc, id limit ${most}
    ) as published
    group by day order by day desc ${UNNAMED}`.execute(db);
  return rows;
}
