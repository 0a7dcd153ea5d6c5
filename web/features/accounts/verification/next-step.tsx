import type { ReactNode } from 'react';
import type { Doctor } from '#contract/doctors.ts';
import type { VerificationMode, VerificationSteps } from '#contract/verification.ts';
import { SupportLink } from '#web/ui/support-link.tsx';
import { isReadOnly, PostingStatus } from './account-status.tsx';
import { Step, type StepState } from './step.tsx';

interface NextStepProps {
  number: number;
  doctor: Doctor;
  steps: VerificationSteps;
}

/** What happens next, how long it takes, and what "verified" means on this site. */
export function NextStep({ number, doctor, steps: { mode } }: NextStepProps) {
  const { status, proofs } = doctor.verification;
  const texts: Record<typeof status, () => ReactNode> = {
    pending: () => <WhilePending mode={mode} />,
    needs_proof: () => <WhileUnproven isTrainee={doctor.verification.in_training} />,
    needs_review: () => <WhileInReview doctor={doctor} mode={mode} />,
    passed: () => <OnceVerified doctor={doctor} />,
  };
  return (
    <Step number={number} title="What happens next" state={stateOf(doctor)}>
      {texts[status]()}
      {mode === 'registry' && proofs.length === 0 && <RegistryMeaning />}
    </Step>
  );
}

function stateOf(doctor: Doctor): StepState {
  if (isReadOnly(doctor)) return { kind: 'waiting', text: 'You can read, but not post' };
  return STATES[doctor.verification.status];
}

const STATES: Record<Doctor['verification']['status'], StepState> = {
  pending: { kind: 'waiting', text: 'Seconds to minutes' },
  needs_proof: { kind: 'waiting', text: 'After your proof' },
  needs_review: { kind: 'now', text: 'With an administrator' },
  passed: { kind: 'done', text: 'Nothing left to do' },
};

const AFTER_REGISTRY: Record<VerificationMode, string> = {
  proof: 'If everything matches, you choose a proof in step 2.',
  registry: 'If everything matches, you are verified at once, and get an email.',
  manual: 'After that, an administrator decides, which can take a few days.',
};

function WhilePending({ mode }: { mode: VerificationMode }) {
  return (
    <p>
      We are asking the registry. That takes seconds, and a few minutes when it is slow. This page
      shows the answer by itself. {AFTER_REGISTRY[mode]}
    </p>
  );
}

function WhileUnproven({ isTrainee }: { isTrainee: boolean }) {
  return (
    <p>
      {isTrainee
        ? 'With a mailbox of your residency you are verified at once. After any other proof, an administrator has to confirm it, which can take a few days.'
        : 'Once your proof is recorded, you are verified and can post. Sometimes an administrator has to look at it first, which can take a few days.'}{' '}
      Until then, you can read everything.
    </p>
  );
}

function WhileInReview({ doctor, mode }: { doctor: Doctor; mode: VerificationMode }) {
  const hasMismatch = Object.values(doctor.verification.checks).includes(false);
  return (
    <>
      <p>
        Your account waits for an administrator. This can take a few days. You get an email once you
        are verified. Until then, you can read everything.
      </p>
      {hasMismatch && mode !== 'manual' && (
        <p>If you can correct what does not match in step 1, that is faster.</p>
      )}
      <p>
        Questions? Write to <SupportLink />.
      </p>
    </>
  );
}

function OnceVerified({ doctor }: { doctor: Doctor }) {
  return (
    <p>
      You are verified.{' '}
      {doctor.can_post_reviews ? 'You can post reviews.' : <PostingStatus doctor={doctor} />}
    </p>
  );
}

function RegistryMeaning() {
  return (
    <div className="border-l-3 border-control pl-4 text-ink-soft">
      <h3 className="font-semibold text-ink">What “verified” means here</h3>
      <p className="mt-1">
        On this site, “verified” means that a name and an NPI match the registry. It does not prove
        that the person who typed them in is that doctor: both are public.
      </p>
    </div>
  );
}
