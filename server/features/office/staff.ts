import { toDay } from '#server/anonymity/coarse-time.ts';
import { COMMAND } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile, loadProfiles } from '#server/features/accounts/identity/profiles.ts';
import type { StaffChange } from '#server/mail/templates.ts';

/** The full names of members of staff, by account id. Deleted accounts have none. */
export async function staffNames(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const profiles = await loadProfiles(keys, db, [...new Set(ids)]);
  return new Map(profiles.map(({ user }) => [user.id, `${user.first_name} ${user.last_name}`]));
}

/** How the actor of a logged act is shown. */
export const actorName = (names: ReadonlyMap<string, string>, actor: string): string =>
  actor === COMMAND ? 'Command' : (names.get(actor) ?? 'Deleted account');

/** Tells a staff member what changed, once the transaction has committed. */
export async function mailStaffChange(
  { keys, clock, jobs }: Pick<Deps, 'keys' | 'clock' | 'jobs'>,
  trx: Db,
  userId: string,
  change: StaffChange,
): Promise<void> {
  const profile = await loadProfile(keys, trx, userId);
  // Deleted meanwhile.
  if (!profile) return;
  const props = { change, day: toDay(clock()) };
  await jobs.enqueue(trx, 'send-mail', {
    to: profile.user.email,
    template: 'staff-changed',
    props,
  });
}

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
