import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import type { DB } from '#server/db/types.ts';
import { selectPage } from '#server/listing/page.ts';

export async function insertRepresentative(trx: Db, userId: string, employerId: number) {
  await trx
    .insertInto('representatives')
    .values({ user_id: userId, employer_id: employerId })
    .execute();
}

/** The employer that an account represents; undefined if there is none. */
export function selectRepresentative(db: Db, userId: string) {
  return db
    .selectFrom('representatives')
    .select(['employer_id', 'state', 'reason'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** The employers that these accounts represent; accounts without one are omitted. */
export const selectRepresentatives = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom('representatives')
    .select(['user_id', 'employer_id', 'state'])
    .where('user_id', '=', anyOf('uuid', userIds))
    .execute();

/** The accounts that represent one of these employers. */
export async function selectRepresentativesOf(
  db: Db,
  employerIds: readonly number[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('representatives')
    .select('user_id')
    .where('employer_id', '=', anyOf('integer', employerIds))
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** One page of the accounts of representatives, by employer and random id. */
export const selectRepresentativePage = (db: Db, page: { page: number; page_size: number }) =>
  selectPage(
    db,
    db.selectFrom('representatives').select('user_id').orderBy('employer_id').orderBy('user_id'),
    page,
  );

/** The accounts of all representatives, ordered by random id. */
export async function selectRepresentativeIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('representatives')
    .select('user_id')
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/**
 * Like `selectRepresentative`, locked until the transaction ends: decisions and replies wait for
 * each other.
 */
export function lockRepresentative(trx: Db, userId: string) {
  return trx
    .selectFrom('representatives')
    .select(['employer_id', 'state', 'reason'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Returns approved representatives of these employers to the curators. Returns their accounts. */
export async function recheckApproved(trx: Db, employerIds: readonly number[]): Promise<string[]> {
  const rows = await trx
    .updateTable('representatives')
    .set({ state: 'pending' })
    .where('employer_id', '=', anyOf('integer', employerIds))
    .where('state', '=', 'approved')
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function updateRepresentative(
  trx: Db,
  userId: string,
  change: Updateable<DB['representatives']>,
) {
  await trx.updateTable('representatives').set(change).where('user_id', '=', userId).execute();
}

/** All representatives and their employers, for joins. */
export const REPRESENTED = sql`select user_id, employer_id from representatives`;
