import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';

/** Whether a staff member gets the daily mail. */
export async function wantsDigest(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('staff_digests')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Turns the daily mail on, from the next day, or off. */
export async function setDigest(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  isOn: boolean,
): Promise<void> {
  if (!isOn) return dropDigest(db, userId);
  await db
    .insertInto('staff_digests')
    // Not today: whoever turns it off and on again would get a second mail.
    .values({ user_id: userId, done_on: toDay(clock()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function dropDigest(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('staff_digests').where('user_id', '=', userId).execute();
}
