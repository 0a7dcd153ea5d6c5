import type { DoctorDecision, DoctorDecisionRequest } from '#contract/case-queue.ts';
import type { Doctor } from '#contract/doctors.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile } from '#server/features/accounts/service.ts';
import { ban, dismiss, evict, setPermission } from '#server/features/verification/service.ts';

type DoctorDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

/**
 * Carries out an administrator's decision about a doctor. Throws `not_found`, `npi_banned`,
 * `case_closed`, and `case_claimed`.
 */
export async function decideDoctor(
  deps: DoctorDeps,
  actor: string,
  userId: string,
  decision: DoctorDecision,
  { reason, case_id }: DoctorDecisionRequest,
): Promise<Doctor> {
  const how = { actor, reason, caseId: case_id };
  if (decision === 'ban') await ban(deps, how, userId);
  else if (decision === 'evict') await evict(deps, how, userId);
  else if (decision === 'dismiss') await dismiss(deps, how, userId);
  else {
    const { permission, granted } = PERMISSIONS[decision];
    await setPermission(deps, how, userId, permission, granted);
  }
  const profile = await loadProfile(deps.keys, deps.db, userId);
  if (!profile?.doctor) throw new AppError('not_found');
  return profile.doctor;
}

const PERMISSIONS = {
  verify: { permission: 'verified', granted: true },
  refuse: { permission: 'verified', granted: false },
  allow_posting: { permission: 'can_post_reviews', granted: true },
  deny_posting: { permission: 'can_post_reviews', granted: false },
} as const;
