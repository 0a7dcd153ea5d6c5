import type { ReactNode } from 'react';
import type { Doctor } from '#contract/verification/doctors.ts';
import { REFUSALS } from '#contract/verification/refusals.ts';
import type { VerificationMode, VerificationSteps } from '#contract/verification/verification.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { SupportLink } from '#web/ui/links.tsx';
import { isReadOnly, PostingStatus } from './account-status.tsx';
import { Step, type StepState } from './step.tsx';

interface NextStepProps {
  number: number;
  doctor: Doctor;
  steps: VerificationSteps;
}

/** What happens next, how long it takes, and what "verified" means on this site. */
export function NextStep({ number, doctor, steps: { mode } }: NextStepProps) {
  const { status, proofs, checks, in_training, refusal } = doctor.verification;
  const hasMismatch = Object.values(checks).includes(false);
  const texts: Record<typeof status, ReactNode> = {
    pending: (
      <p>
        We are checking with the registry. This usually takes seconds, or a few minutes when the
        registry is slow. This page updates on its own. {AFTER_REGISTRY[mode]}
      </p>
    ),
    needs_proof: (
      <p>
        <span>
          {in_training
            ? 'With an email address at your residency, you are verified right away. Any other proof has to be confirmed by an administrator, which can take a few days.'
            : 'Once your proof is recorded, you are verified and can post. Sometimes an administrator has to review it first, which can take a few days.'}
        </span>{' '}
        <span>Until then, you can read everything.</span>
      </p>
    ),
    needs_review: refusal ? (
      <Refused refusal={refusal} />
    ) : (
      <>
        <p>
          Your account is waiting for an administrator. This can take a few days. We’ll email you
          once you are verified. Until then, you can read everything.
        </p>
        {hasMismatch && mode !== 'manual' && (
          <p>It is faster if you can correct what does not match in step 1.</p>
        )}
        <p>
          Questions? Write to <SupportLink />.
        </p>
      </>
    ),
    passed: (
      <p>
        You are verified.{' '}
        {doctor.can_post_reviews ? (
          <span>You can post reviews.</span>
        ) : (
          <PostingStatus doctor={doctor} />
        )}
      </p>
    ),
  };
  return (
    <Step
      number={number}
      title="What happens next"
      state={isReadOnly(doctor) ? READ_ONLY : refusal ? REFUSED : STATES[status]}
    >
      {texts[status]}
      {mode === 'registry' && proofs.length === 0 && (
        <div className="border-l-3 border-control pl-4 text-ink-soft">
          <h3 className="font-semibold text-ink">What “verified” means here</h3>
          <p className="mt-1">
            On this site, “verified” means that a name and an NPI match the registry. It does not
            prove that the person who entered them is that doctor, because both are public.
          </p>
        </div>
      )}
    </Step>
  );
}

/** What an administrator decided, why, and how to object. */
function Refused({ refusal }: { refusal: NonNullable<Doctor['verification']['refusal']> }) {
  return (
    <>
      <p>
        An administrator looked at your account on{' '}
        <span className="lining-nums">{formatLongDate(refusal.decided_on)}</span>, and decided not
        to verify it. {REFUSALS[refusal.reason]}
      </p>
      <p>
        If you think that this is a mistake, write to <SupportLink />, and say why. If your name was
        wrong, correct it in{' '}
        <Link to={paths.profile()} className="prose-link">
          your profile
        </Link>
        : an administrator will look again. You can still read everything.
      </p>
    </>
  );
}

const REFUSED: StepState = { kind: 'waiting', text: 'Not verified' };
const READ_ONLY: StepState = { kind: 'waiting', text: 'You can read, but not post' };

const STATES: Record<Doctor['verification']['status'], StepState> = {
  pending: { kind: 'waiting', text: 'Seconds to minutes' },
  needs_proof: { kind: 'waiting', text: 'After your proof' },
  needs_review: { kind: 'now', text: 'With an administrator' },
  passed: { kind: 'done', text: 'Nothing left to do' },
};

const AFTER_REGISTRY: Record<VerificationMode, string> = {
  proof: 'If everything matches, you’ll choose a proof in step 2.',
  registry: 'If everything matches, you are verified right away, and we’ll email you.',
  manual: 'After that, an administrator decides, which can take a few days.',
};
