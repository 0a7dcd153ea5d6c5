import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import type { StaffChange } from '#server/mail/templates.ts';

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
