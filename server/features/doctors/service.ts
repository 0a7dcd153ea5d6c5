import type { Doctor } from '#contract/doctors.ts';
import { AppError } from '#server/app-error.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { findProfile, loadProfile } from '#server/features/accounts/service.ts';
import { lockDoctor, selectDoctorIds, updateDoctor, withdrawVerification } from './queries.ts';

type ActDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'jobs'>;

/** The doctor with this account id, NPI or e-mail address; null when there is none. */
export async function findDoctor(
  deps: Pick<Deps, 'db' | 'keys'>,
  who: string,
): Promise<Doctor | null> {
  const profile = await findProfile(deps, deps.db, who);
  return profile?.doctor ?? null;
}

/** The doctors who are not verified, or all, one at a time. */
export async function* listDoctors(
  deps: Pick<Deps, 'db' | 'keys'>,
  options: { unverifiedOnly: boolean },
): AsyncGenerator<Doctor> {
  for (const id of await selectDoctorIds(deps.db, options)) {
    const profile = await loadProfile(deps, deps.db, id);
    if (profile?.doctor) yield profile.doctor;
  }
}

/** The two permissions of a doctor, set apart from one another (specification, section 6). */
export type Permission = 'verified' | 'can_post_reviews';

const ACTIONS = {
  verified: { true: 'doctor.verify', false: 'doctor.unverify' },
  can_post_reviews: { true: 'doctor.allow-posting', false: 'doctor.deny-posting' },
} as const;

/**
 * Grants a doctor a permission, or takes it back, as `actor` decides. A check by the registry that
 * is still to come would overrule the decision, and so is ended by it. One who may now post reviews
 * is told by mail. False when it was so already. Throws `not_found`.
 */
export function setPermission(
  { db, clock, keys, jobs }: ActDeps,
  actor: string,
  userId: string,
  permission: Permission,
  granted: boolean,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const before = await lockDoctor(trx, userId);
    if (!before) throw new AppError('not_found');
    const isChange = before[permission] !== granted;
    if (!isChange && before.verification_status !== 'pending') return false;
    await updateDoctor(trx, userId, {
      [permission]: granted,
      verification_status: statusAfter(before.verification_status, permission, granted),
    });
    const action = ACTIONS[permission][`${granted}`];
    await recordAct(trx, clock, { actor, action, subject: userId });
    const after = { ...before, [permission]: granted };
    if (isChange && after.verified && after.can_post_reviews) {
      const profile = await loadProfile({ keys }, trx, userId);
      if (!profile) throw new AppError('not_found');
      const to = profile.user.email;
      await jobs.enqueue(trx, 'send-mail', { to, template: 'verified', props: {} });
    }
    return isChange;
  });
}

function statusAfter(before: string, permission: Permission, granted: boolean): string {
  if (permission === 'verified') return granted ? 'passed' : 'needs_review';
  return before === 'pending' ? 'needs_review' : before;
}

/** Whether a doctor is verified, held still until the transaction ends. */
export async function holdVerified(trx: Db, userId: string): Promise<boolean> {
  return (await lockDoctor(trx, userId))?.verified ?? false;
}

/**
 * Takes verification back from a doctor whose name is no longer the verified one, and has the
 * registry asked again. One whom an administrator keeps from posting waits for an administrator:
 * the registry would lift that decision.
 */
export async function reopenVerification(
  { jobs }: Pick<Deps, 'jobs'>,
  trx: Db,
  userId: string,
): Promise<void> {
  const mayPost = (await lockDoctor(trx, userId))?.can_post_reviews ?? false;
  await withdrawVerification(trx, userId, mayPost ? 'pending' : 'needs_review');
  if (mayPost) await jobs.enqueue(trx, 'verify-npi', { userId });
}
