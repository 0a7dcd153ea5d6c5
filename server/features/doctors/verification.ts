import type { Doctor } from '#contract/doctors.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { holdProfile, loadProfile } from '#server/features/accounts/service.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { allPassed, checkDoctor } from '#server/npi-registry/checks.ts';
import { settleVerification } from './queries.ts';

type VerificationDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'npiRegistry' | 'jobs'>;

/**
 * Asks the NPI registry about a new doctor. One who passes every check is verified and may post;
 * anyone else waits for an administrator, who sees which checks passed. A registry that cannot
 * be asked throws, and the job is tried again later. A name that was changed meanwhile is checked
 * by a job of its own.
 */
export function verifyNpi(deps: VerificationDeps): JobHandler<'verify-npi'> {
  return async ({ userId }) => {
    const { config, db, keys } = deps;
    const profile = await loadProfile({ keys }, db, userId);
    if (profile?.doctor?.verification.status !== 'pending') return;
    const { user, doctor } = profile;
    const checks = checkDoctor(await deps.npiRegistry.lookUp(doctor.npi), user);
    const passed = allPassed(checks) && config.verification === 'registry';
    await inTransaction(db, async (trx) => {
      const present = await holdProfile({ keys }, trx, userId);
      if (!present) return;
      if (!isNamed(present.user, user)) {
        await deps.jobs.enqueue(trx, 'verify-npi', { userId });
        return;
      }
      const settled = await settleVerification(trx, userId, {
        verification_checks: JSON.stringify(checks),
        verification_status: passed ? 'passed' : 'needs_review',
        ...(passed && { verified: true, can_post_reviews: true }),
      });
      if (!settled || !passed) return;
      await deps.jobs.enqueue(trx, 'send-mail', {
        to: present.user.email,
        template: 'verified',
        props: {},
      });
    });
  };
}

type Named = Pick<Doctor['user'], 'first_name' | 'last_name'>;

const isNamed = (one: Named, other: Named) =>
  one.first_name === other.first_name && one.last_name === other.last_name;
