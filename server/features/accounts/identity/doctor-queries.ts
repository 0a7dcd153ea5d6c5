import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/** Account ids of all doctors, or only of unverified ones, ordered by random id. */
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

/** The permissions of an unverified doctor. */
export const UNVERIFIED = { verified: false, can_post_reviews: false, posting_from: null } as const;

/** A doctor's permissions, locked until the transaction ends. */
export function lockDoctor(db: Db, userId: string) {
  return db
    .selectFrom('doctors')
    .select(['verified', 'can_post_reviews', 'posting_from'])
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

/**
 * Allows posting again for doctors whose pause is over. The pause starts when an account with the
 * same NPI leaves reviews behind.
 */
export async function endPostingPauses(db: Db, today: string): Promise<void> {
  await db
    .updateTable('doctors')
    .set({ posting_from: null, can_post_reviews: sql.ref('verified') })
    .where('posting_from', '<=', today)
    .execute();
}
