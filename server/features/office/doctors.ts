import type {
  DoctorDecision,
  DoctorDecisionRequest,
  StaffDoctor,
} from '#contract/office/case-queue.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { COMMAND } from '#server/audit-log.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import {
  ban,
  dismiss,
  doctorVersion,
  evict,
  setPermission,
} from '#server/features/verification/administration.ts';
import { firstDecisions } from '#server/features/verification/shared-decisions.ts';
import { staffNames } from './staff-names.ts';

type DoctorDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

/**
 * Carries out an administrator's decision about a doctor. Throws `not_found`, `npi_banned`,
 * `case_closed`, `case_claimed`, `changed_meanwhile`, `one_verifier`, `second_verifier`, and
 * `another_day`. What takes two verifiers is only added to the doctor's `first_decisions` by the first.
 */
export async function decideDoctor(
  deps: DoctorDeps,
  actor: string,
  userId: string,
  decision: DoctorDecision,
  { reason, case_id, version, refusal }: DoctorDecisionRequest,
): Promise<StaffDoctor> {
  const how = { actor, reason, caseId: case_id, version, refusal };
  if (decision === 'ban') await ban(deps, how, userId);
  else if (decision === 'evict') await evict(deps, how, userId);
  else if (decision === 'dismiss') await dismiss(deps, how, userId);
  else {
    const { permission, granted } = PERMISSIONS[decision];
    await setPermission(deps, how, userId, permission, granted);
  }
  const profile = await loadProfile(deps.keys, deps.db, userId);
  if (!profile?.doctor) throw new AppError('not_found');
  const [doctor] = await toStaffDoctors(deps, [profile.doctor]);
  if (!doctor) throw new AppError('not_found');
  return doctor;
}

/** Adds what waits for a second verifier. */
export async function toStaffDoctors(
  deps: Pick<Deps, 'db' | 'keys'>,
  doctors: readonly Doctor[],
): Promise<StaffDoctor[]> {
  const waiting = await firstDecisions(
    deps.db,
    doctors.map(({ user }) => user.id),
  );
  const ids = waiting.map(({ actor }) => actor).filter((actor) => actor !== COMMAND);
  const names = await staffNames(deps, ids);
  const nameOf = (actor: string) =>
    actor === COMMAND ? 'a command' : (names.get(actor) ?? 'a former verifier');
  return doctors.map((doctor) => ({
    ...doctor,
    version: doctorVersion(doctor),
    first_decisions: waiting
      .filter(({ account_id }) => account_id === doctor.user.id)
      .map(({ account_id: _, actor, ...first }) => ({ ...first, by: nameOf(actor) })),
  }));
}

const PERMISSIONS = {
  verify: { permission: 'verified', granted: true },
  refuse: { permission: 'verified', granted: false },
  allow_posting: { permission: 'can_post_reviews', granted: true },
  deny_posting: { permission: 'can_post_reviews', granted: false },
} as const;
