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
