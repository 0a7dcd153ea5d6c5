import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/** Writes the outcome of a check, unless an administrator was faster. False when one was. */
export async function settleVerification(
  db: Db,
  userId: string,
  outcome: Updateable<DB['doctors']>,
): Promise<boolean> {
  const settled = await db
    .updateTable('doctors')
    .set(outcome)
    .where('user_id', '=', userId)
    .where('verification_status', '=', 'pending')
    .returning('user_id')
    .executeTakeFirst();
  return settled !== undefined;
}

/** The accounts of doctors: those who are not verified, or all. In no telling order: by random id. */
export async function selectDoctorIds(
  db: Db,
  { unverifiedOnly }: { unverifiedOnly: boolean },
): Promise<string[]> {
  const rows = await db
    .selectFrom('doctors')
    .select('user_id')
    .$if(unverifiedOnly, (q) => q.where('verified', '=', false))
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** What a doctor may do, held still until the transaction ends. */
export function lockDoctor(db: Db, userId: string) {
  return db
    .selectFrom('doctors')
    .select(['verified', 'can_post_reviews', 'verification_status'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateDoctor(
  db: Db,
  userId: string,
  change: Updateable<DB['doctors']>,
): Promise<void> {
  await db.updateTable('doctors').set(change).where('user_id', '=', userId).execute();
}

/** As if nothing had been checked yet. */
export async function withdrawVerification(
  db: Db,
  userId: string,
  status: 'pending' | 'needs_review',
): Promise<void> {
  await db
    .updateTable('doctors')
    .set({
      verified: false,
      can_post_reviews: false,
      verification_status: status,
      verification_checks: sql`default`,
    })
    .where('user_id', '=', userId)
    .execute();
}
