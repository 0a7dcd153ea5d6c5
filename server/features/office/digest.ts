import { CASE_OVERDUE_DAYS, CASE_ROLES } from '#contract/cases.ts';
import { type Role, sortedRoles } from '#contract/staff-roles.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import { countOverdue, countVisible } from '#server/cases/queue.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { findStaff, loadProfiles } from '#server/features/accounts/identity/profiles.ts';
import type { JobHandler } from '#server/jobs/settings.ts';
import type { MailJob, StaffDigest } from '#server/mail/templates.ts';
import { viewerOf } from './cases/queue.ts';

type DigestDeps = Pick<Deps, 'db' | 'keys' | 'clock' | 'jobs'>;

/**
 * Runs daily. Enqueues the mails in the transaction that marks the day as done, so each staff
 * member gets one, however often and on however many servers it runs.
 */
export function staffDigest(deps: DigestDeps): JobHandler<'staff-digest'> {
  return () =>
    inTransaction(deps.db, async (trx) => {
      const today = toDay(deps.clock());
      const due = await trx
        .updateTable('staff_digests')
        .set({ done_on: today })
        .where('done_on', '<', today)
        .returning('user_id')
        .execute();
      const mails = await mailsFor(
        { ...deps, db: trx },
        due.map(({ user_id }) => user_id),
        today,
      );
      await deps.jobs.enqueueAll(trx, 'send-mail', mails);
    });
}

async function mailsFor(deps: DigestDeps, ids: readonly string[], day: string): Promise<MailJob[]> {
  const { db, keys } = deps;
  const profiles = await loadProfiles(keys, db, ids);
  const empty = emptyRoles(await findStaff(keys, db));
  const mails: MailJob[] = [];
  for (const { user } of profiles) {
    // A restored backup can have the row of someone who has been dismissed since.
    if (user.roles.length === 0) continue;
    const props = await digestOf(deps, { userId: user.id, roles: user.roles }, { day, empty });
    const isQuiet = props.waiting.length === 0 && empty.length === 0;
    if (!isQuiet) mails.push({ to: user.email, template: 'staff-digest', props });
  }
  return mails;
}

/** Numbers alone, and only of cases that the member sees in the office. */
async function digestOf(
  deps: DigestDeps,
  member: { userId: string; roles: readonly Role[] },
  { day, empty }: { day: string; empty: readonly Role[] },
): Promise<StaffDigest> {
  const viewer = await viewerOf(deps, member);
  const waiting = await countVisible(deps.db, viewer);
  const overdue = await countOverdue(deps.db, viewer, addDays(day, -CASE_OVERDUE_DAYS));
  const inOrder = viewer.kinds.flatMap((kind) => waiting.find((one) => one.kind === kind) ?? []);
  return { day, waiting: inOrder, overdue, emptyRoles: empty };
}

/** The roles that decide cases and that nobody has. An office of one has all of them. */
export function emptyRoles(staff: readonly { roles: readonly Role[] }[]): Role[] {
  if (staff.length < 2) return [];
  return sortedRoles(Object.values(CASE_ROLES)).filter(
    (role) => !staff.some(({ roles }) => roles.includes(role)),
  );
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
