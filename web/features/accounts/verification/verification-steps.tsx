import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import * as z from 'zod/mini';
import { FirstName, LastName, type User } from '#contract/accounts/accounts.ts';
import { isSpelledAlike } from '#contract/person-names.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { REFUSALS } from '#contract/verification/proof-requests.ts';
import type {
  VerificationSteps as Steps,
  VerificationMode,
} from '#contract/verification/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, profileFailure } from '#web/features/accounts/failures.ts';
import { LoadFailure, useEditing } from '#web/features/accounts/profile-section.tsx';
import { Form } from '#web/form/form.tsx';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { session } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { SupportLink } from '#web/ui/links.tsx';
import { nameFields } from '../account-fields.ts';
import { isReadOnly, PostingStatus } from './account-status.tsx';
import { Asked } from './asked.tsx';
import { ProofStep } from './proof-step.tsx';
import { RegistryChecks } from './registry-checks.tsx';
import { Step, type StepState } from './step.tsx';

type FullName = NonNullable<Doctor['verification']['registry_name']>;

interface RegistryNameProps {
  user: User;
  registryName: FullName;
  onCorrected: (saved: FullName) => void;
}

/** The registry's name beside the user's own name, which can be corrected here. */
function RegistryName({ user, registryName, onCorrected }: RegistryNameProps) {
  const { mode, setMode, opener } = useEditing();
  return (
    <div className="flex flex-col gap-5">
      <h3 className="font-semibold">The two names differ</h3>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <NameOn term="Your account" name={user} />
        <NameOn term="The registry" name={registryName} />
      </dl>
      {mode === 'saved' && <Banner tone="success">Your name has been changed.</Banner>}
      {mode === 'editing' ? (
        <NameForm
          user={user}
          onSaved={(saved) => {
            setMode('saved');
            onCorrected(saved);
          }}
          onCancel={() => setMode('canceled')}
        />
      ) : (
        <>
          <p className="text-sm text-ink-soft">
            If the registry has an old name, update it there first, then check again.
          </p>
          <Button
            ref={opener}
            variant="secondary"
            className="self-start"
            onClick={() => setMode('editing')}
          >
            Correct my name
          </Button>
        </>
      )}
    </div>
  );
}

function NameOn({ term, name }: { term: string; name: FullName }) {
  return (
    <div className="min-w-0 border-l-3 border-rule pl-4">
      <dt className="label-caps text-ink-faint">{term}</dt>
      <dd className="text-lg wrap-anywhere">
        {name.first_name} {name.last_name}
      </dd>
    </div>
  );
}

const Names = z.strictObject({ first_name: FirstName, last_name: LastName });

interface NameFormProps {
  user: User;
  onSaved: (saved: FullName) => void;
  onCancel: () => void;
}

/** Corrects the name of an account that is not verified yet. */
function NameForm({ user, onSaved, onCancel }: NameFormProps) {
  const { send, error } = useWrite(verificationWrites, 'correctName', { onDone: onSaved });
  return (
    <Form
      schema={Names}
      fields={nameFields(true, user)}
      action={{ text: 'Save and check again', busyText: 'Saving...' }}
      error={error}
      failure={(failed, isAtField) => !isAtField && profileFailure(failed)}
      onSubmit={(body) => send({ params: { id: user.id }, body })}
      onCancel={onCancel}
      form={{ className: 'flex max-w-form flex-col gap-5' }}
    />
  );
}

const POLLS = 10;
const POLL_EVERY_MS = 3000;

const UNANSWERED =
  'The registry has not answered yet. We’ll keep trying. You can leave this page and come back later.';

/**
 * Queries the registry again. While a response is pending, the page's loader polls for it, even
 * right after the page opens, because the response usually arrives within seconds of signing up.
 */
function useRegistryCheck({ verification: { status } }: Doctor) {
  const isPending = status === 'pending';
  const [polls, setPolls] = useState(0);
  const [isAsked, setAsked] = useState(false);
  const { revalidate } = useRevalidator();
  const { send, isBusy, error } = useWrite(verificationWrites, 'checkRegistry', {
    onDone: awaitAnswer,
  });

  function awaitAnswer() {
    setAsked(true);
    setPolls(0);
  }

  useEffect(() => {
    if (!isPending || polls >= POLLS) return;
    const timer = setTimeout(async () => {
      await revalidate();
      setPolls(polls + 1);
    }, POLL_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isPending, polls, revalidate]);

  function state() {
    if (isBusy) return 'checking';
    if (error) return 'failed';
    if (isPending) return polls < POLLS ? 'checking' : 'unanswered';
    return isAsked ? 'answered' : 'idle';
  }

  return { state: state(), error, awaitAnswer, checkAgain: () => send({ body: {} }) };
}

interface CheckAgainProps
  extends Pick<ReturnType<typeof useRegistryCheck>, 'state' | 'error' | 'checkAgain'> {
  doctor: Doctor;
}

function CheckAgain({ doctor, state, error, checkAgain }: CheckAgainProps) {
  const { status } = doctor.verification;
  const message = useRef<HTMLParagraphElement>(null);
  const isChecking = state === 'checking';

  // The button that had the focus may be gone.
  useEffect(() => {
    if (state === 'answered') message.current?.focus();
  }, [state]);

  return (
    <div className="flex flex-col gap-3 print:hidden">
      {error && <Banner tone="error">{authFailure(error, FAILURES.check)}</Banner>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {(status === 'pending' || status === 'needs_review') && (
          <Button variant="secondary" busy={isChecking} onClick={checkAgain}>
            {isChecking ? 'Checking...' : 'Check again'}
          </Button>
        )}
        <p
          ref={message}
          role="status"
          tabIndex={-1}
          className="min-w-0 flex-1 basis-60 text-sm text-ink-soft outline-none"
        >
          {state === 'checking'
            ? 'Checking with the registry...'
            : state === 'answered'
              ? resultOf(doctor)
              : state === 'unanswered' && UNANSWERED}
        </p>
      </div>
    </div>
  );
}

function resultOf({ verification: { checks, checked_on } }: Doctor): string {
  const result = Object.values(checks).every((passed) => passed === true)
    ? 'Everything matches.'
    : 'Not everything matches.';
  return checked_on === null ? result : `Checked on ${formatLongDate(checked_on)}. ${result}`;
}

function RegistryStep({ user, doctor }: { user: User; doctor: Doctor }) {
  const { checks, checked_on, registry_name } = doctor.verification;
  const { awaitAnswer, ...registryCheck } = useRegistryCheck(doctor);

  async function checkNewName(saved: FullName) {
    await session.reload();
    // Any other name is being checked already.
    if (isSpelledAlike(user, saved)) await registryCheck.checkAgain();
    else awaitAnswer();
  }

  return (
    <Step number={1} title="Registry" state={stateOf(doctor)}>
      <p className="text-ink-soft">
        We compare your name and NPI with the NPI registry, the government’s public list.{' '}
        {checked_on !== null && (
          <span>
            Last checked on{' '}
            <strong className="font-semibold text-ink lining-nums">
              {formatLongDate(checked_on)}
            </strong>
            .
          </span>
        )}
      </p>
      <RegistryChecks checks={checks} withRemedies />
      {registry_name && (
        <RegistryName user={user} registryName={registry_name} onCorrected={checkNewName} />
      )}
      <CheckAgain doctor={doctor} {...registryCheck} />
    </Step>
  );
}

function stateOf({ verification: { status, checks } }: Doctor): StepState {
  const results = Object.values(checks);
  if (status === 'pending') return { kind: 'now', text: 'In progress' };
  if (results.includes(false)) return { kind: 'failed', text: 'Does not match' };
  if (results.includes(null)) return { kind: 'waiting', text: 'Incomplete' };
  return { kind: 'done', text: 'Matches' };
}

interface NextStepProps {
  number: number;
  doctor: Doctor;
  steps: Steps;
}

/** What happens next, how long it takes, and what "verified" means on this site. */
function NextStep({ number, doctor, steps: { mode } }: NextStepProps) {
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

interface VerificationStepsProps {
  user: User;
  doctor: Doctor;
  /** Null if they could not be loaded. */
  steps: Steps | null;
}

/** The steps to a verified account. The proof is a step only if it is required or was given. */
export function VerificationSteps({ user, doctor, steps }: VerificationStepsProps) {
  const { status, proofs } = doctor.verification;
  const isRequired = steps?.mode === 'proof' || status === 'needs_proof';
  const showsProof = isRequired || proofs.length > 0;
  return (
    <div className="page-width mt-12 md:mt-16">
      <Asked request={steps?.asked} className="mb-8" />
      <RegistryStep user={user} doctor={doctor} />
      {steps === null ? (
        <div className="flex flex-col gap-5 border-t border-rule py-8">
          <LoadFailure>{FAILURES.verificationLoad}</LoadFailure>
        </div>
      ) : (
        <>
          {showsProof && <ProofStep number={2} doctor={doctor} steps={steps} />}
          <NextStep number={showsProof ? 3 : 2} doctor={doctor} steps={steps} />
        </>
      )}
    </div>
  );
}
