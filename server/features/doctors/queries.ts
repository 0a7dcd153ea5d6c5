import type { Updateable } from 'kysely';
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
