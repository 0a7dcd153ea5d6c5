import { sql } from 'kysely';
import type { EmployerFile } from '#contract/employers/employer-curation.ts';
import { DAY_MS, MERGE_UNDO_DAYS } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf, UNNAMED } from '#server/db/statements.ts';

/** Blocks other writers of employers until the transaction ends. Reads continue. */
export async function lockEmployers(trx: Db): Promise<void> {
  await sql`lock table employers in share row exclusive mode`.execute(trx);
}

export function selectMerges(trx: Db, ids: readonly number[]) {
  return trx
    .selectFrom('employers')
    .select(['id', 'merged_into'])
    .where('id', '=', sql<number>`any(${ids}::integer[])`)
    .execute();
}

/** The employer, and those that were merged into it earlier. */
export async function selectFollowing(trx: Db, id: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('employers')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', id), eb('merged_into', '=', id)]))
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Also updates employers that were merged into this one, so that links redirect only once. Stores
 * what undoing the merge needs.
 */
export async function setMerged(trx: Db, from: number, into: number, day: string): Promise<void> {
  const moved = await trx
    .updateTable('employers')
    .set({ merged_into: into })
    .where((eb) => eb.or([eb('id', '=', from), eb('merged_into', '=', from)]))
    .returning('id')
    .execute();
  const followed = moved.map(({ id }) => id).filter((id) => id !== from);
  await trx
    .insertInto('employer_merges')
    .values({ employer_id: from, merged_on: day, followed })
    .execute();
}

/** Deletes the data for undoing a merge, and returns it if it is from this day or later. */
export async function takeMerge(
  trx: Db,
  employerId: number,
  since: string,
): Promise<{ followed: number[] } | undefined> {
  return trx
    .deleteFrom('employer_merges')
    .where('employer_id', '=', employerId)
    .where('merged_on', '>=', since)
    .returning('followed')
    .executeTakeFirst();
}

/**
 * Restores an employer, with those that were merged into it earlier. They may now lead to another
 * employer than the merge named, because that one may have been merged, too. Undoing that later
 * merge then does not affect these.
 */
export async function setUnmerged(
  trx: Db,
  { id, current, followed }: { id: number; current: number; followed: readonly number[] },
): Promise<void> {
  await trx.updateTable('employers').set({ merged_into: null }).where('id', '=', id).execute();
  await trx
    .updateTable('employers')
    .set({ merged_into: id })
    .where('id', '=', anyOf('integer', followed))
    .where('merged_into', '=', current)
    .execute();
  const family = [id, ...followed];
  await sql`
    update employer_merges
    set followed = array(
      select one from unnest(followed) as one where one <> all(${family}::integer[])
    )
    where followed && ${family}::integer[] ${UNNAMED}`.execute(trx);
}

/** Merges from and into an employer that can be undone, newest first. */
export async function selectUndoable(
  db: Db,
  now: Date,
  id: number,
): Promise<EmployerFile['merges']> {
  const { rows } = await sql<{ id: number; name: string; merged_on: string; undo_until: string }>`
    select employers.id, name, merged_on,
      (merged_on + ${MERGE_UNDO_DAYS}::integer)::text as undo_until
    from employer_merges join employers on employers.id = employer_id
    where (employer_id = ${id} or merged_into = ${id}) and merged_on >= ${firstUndoable(now)}
    order by merged_on desc, employers.id ${UNNAMED}`.execute(db);
  return rows.map(({ id, name, ...days }) => ({ employer: { id, name }, ...days }));
}

/** Deletes merges that are too old to be undone. */
export async function deleteOldMerges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('employer_merges').where('merged_on', '<', firstUndoable(now)).execute();
}

/** The day of the oldest merge that can be undone. */
export const firstUndoable = (now: Date) =>
  toDay(new Date(now.getTime() - MERGE_UNDO_DAYS * DAY_MS));
/** How many merged employers lead to this one, and how many corrections wait for it or for them. */
export async function countFollowing(
  db: Db,
  id: number,
): Promise<{ redirects: number; corrections: number }> {
  const { rows } = await sql<{ redirects: number; corrections: number }>`
    with named as (select id from employers where id = ${id} or merged_into = ${id})
    select count(*)::integer - 1 as redirects,
      (select count(*)::integer from employer_corrections join named on named.id = employer_id)
        as corrections
    from named ${UNNAMED}`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate has one row');
  return counts;
}
