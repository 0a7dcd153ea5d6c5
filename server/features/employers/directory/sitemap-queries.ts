import { sql } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { LISTED } from '#server/features/employers/employer-row.ts';

/** The non-empty parts of the directory: part n has the ids after (n - 1) * `size`. */
export async function selectParts(db: Db, size: number): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    select distinct (id - 1) / ${size}::integer + 1 as part
    from employers where ${LISTED} order by part`.execute(db);
  return rows.map(({ part }) => part);
}

/** The employers of one part, by id, each with the day it was added to the directory. */
export async function selectPart(
  db: Db,
  part: number,
  size: number,
): Promise<{ id: number; day: string }[]> {
  const { rows } = await sql<{ id: number; day: string }>`
    select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day
    from employers
    where ${LISTED} and id > ${(part - 1) * size} and id <= ${part * size}
    order by id`.execute(db);
  return rows;
}
