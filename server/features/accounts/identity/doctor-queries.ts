import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';

/** The account ids of all doctors, or of those who are not verified, in the order of random ids. */
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

/** The rights of a doctor who is not verified. */
export const UNVERIFIED = { verified: false, can_post_reviews: false, posting_from: null } as const;

/** The rights of a doctor, locked until the transaction ends. */
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

/** Lets doctors post whose pause is over: they had left reviews behind under an earlier account. */
export async function endPostingPauses(db: Db, today: string): Promise<void> {
  await db
    .updateTable('doctors')
    .set({ posting_from: null, can_post_reviews: sql.ref('verified') })
    .where('posting_from', '<=', today)
    .execute();
}
