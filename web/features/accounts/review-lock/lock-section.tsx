import { zodResolver } from '@hookform/resolvers/zod';
import { Lock, LockOpen } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { newRecoveryCode } from '#contract/recovery-code.ts';
import type { ReviewLock } from '#contract/review-lock.ts';
import { LockRequest, UnlockRequest } from '#contract/review-lock.ts';
import { profileWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, showFailure } from '#web/features/accounts/failures.ts';
import { CurrentPasswordField } from '#web/features/accounts/password-fields.tsx';
import { LoadFailure, ProfileSection } from '#web/features/accounts/profile-section.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths, REVIEW_LOCK_ID } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, FormButtons } from '#web/ui/dialog.tsx';
import type { LockPurpose } from './lock-steps.tsx';
import { CodeStep, ConfirmStep, codeDifference, MeaningStep } from './lock-steps.tsx';
import { type LockEligibility, lockEligibility } from './review-lock.ts';

const WORDS = {
  lock: { title: 'Lock my reviews', submit: 'Lock my reviews', busy: 'Locking...' },
  'new-code': {
    title: 'Create a new recovery code',
    submit: 'Use the new code',
    busy: 'Saving...',
  },
} as const;

const STEPS = ['meaning', 'code', 'confirm'] as const;
type Step = (typeof STEPS)[number];

/** The steps that the buttons of each step lead to. */
const BUTTONS: Record<Step, { back?: Step; next?: Step; nextLabel?: string }> = {
  meaning: { next: 'code', nextLabel: 'Continue' },
  code: { back: 'meaning', next: 'confirm', nextLabel: 'I saved the code' },
  confirm: { back: 'code' },
};

interface LockDialogProps {
  user: User;
  purpose: LockPurpose;
  code: string;
  onClose: () => void;
  onDone: (message: string) => void;
}

function LockDialog({ user, purpose, code, onClose, onDone }: LockDialogProps) {
  const formId = useId();
  const [step, setStep] = useState<Step>('meaning');
  const top = useRef<HTMLParagraphElement>(null);
  const form = useForm({ resolver: zodResolver(LockRequest) });
  const words = WORDS[purpose];
  const { back, next, nextLabel } = BUTTONS[step];

  function goTo(next: Step) {
    flushSync(() => setStep(next));
    top.current?.focus();
  }

  const { send, isBusy } = useWrite(profileWrites, 'lockReviews', {
    onDone: (answer) => onDone(answer.message),
    onError(error) {
      const fallback = error.status === null ? FAILURES.lockNoAnswer : FAILURES.lock;
      const text = authFailure(error, fallback);
      showFailure(form.setError, error, ['recovery_code', 'password'], text);
    },
  });
  const submit = form.handleSubmit((body) => {
    const difference = codeDifference(code, body.recovery_code);
    if (difference === null) void send({ body });
    else form.setError('recovery_code', { message: difference }, { shouldFocus: true });
  });

  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        // Without keys, React would turn the clicked button into the submit button, and the same
        // click would submit.
        <>
          <Button
            key={`back-${step}`}
            variant="secondary"
            onClick={() => (back ? goTo(back) : onClose())}
          >
            {back ? 'Back' : 'Cancel'}
          </Button>
          {next ? (
            <Button key={`next-${step}`} onClick={() => goTo(next)}>
              {nextLabel}
            </Button>
          ) : (
            <Button key="submit" type="submit" form={formId} busy={isBusy}>
              {isBusy ? words.busy : words.submit}
            </Button>
          )}
        </>
      }
    >
      <p ref={top} tabIndex={-1} className="label-caps text-ink-faint outline-none">
        Step {STEPS.indexOf(step) + 1} of {STEPS.length}
      </p>
      {step === 'meaning' && <MeaningStep purpose={purpose} />}
      {step === 'code' && <CodeStep code={code} />}
      {step === 'confirm' && <ConfirmStep id={formId} form={form} user={user} onSubmit={submit} />}
    </Dialog>
  );
}

interface UnlockDialogProps {
  user: User;
  onClose: () => void;
  onDone: (message: string) => void;
}

function UnlockDialog({ user, onClose, onDone }: UnlockDialogProps) {
  const formId = useId();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(UnlockRequest),
  });
  const { errors } = formState;

  const { send, isBusy } = useWrite(profileWrites, 'unlockReviews', {
    onDone: (answer) => onDone(answer.message),
    onError: (error) =>
      showFailure(setError, error, ['password'], authFailure(error, FAILURES.unlock)),
  });
  const unlock = handleSubmit((body) => send({ body }));

  return (
    <Dialog
      title="Unlock my reviews"
      onClose={onClose}
      actions={
        <FormButtons form={formId} busy={isBusy} onCancel={onClose}>
          {isBusy ? 'Unlocking...' : 'Unlock my reviews'}
        </FormButtons>
      }
    >
      <form id={formId} method="post" noValidate onSubmit={unlock} className="grid gap-5">
        <p>
          Your reviews stay anonymous on the site. But as before you locked them, someone with the
          database and Curbside’s key can look up who wrote them.
        </p>
        <p>
          You no longer risk losing your reviews if you forget your password, and your recovery code
          stops working. You’ll be signed out everywhere else, and can sign back in.
        </p>
        {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
        <CurrentPasswordField
          email={user.email}
          error={errors.password?.message}
          {...register('password')}
        />
      </form>
    </Dialog>
  );
}

interface LockSectionProps {
  user: User;
  doctor: Doctor | null;
  /** Null if it could not be loaded. */
  lock: ReviewLock | null;
}

export function LockSection({ user, doctor, lock }: LockSectionProps) {
  return (
    <ProfileSection id={REVIEW_LOCK_ID} title="Lock my reviews">
      <div className="flex flex-col gap-3 text-ink-soft">
        <p>
          Once your reviews are locked, nobody at Curbside can look up who wrote them, even with the
          database and all of its keys. Everything else works as before, on every device you sign in
          on.
        </p>
        <p>
          There is a tradeoff. If you forget your password, you’ll need your recovery code or a
          browser that is still signed in. Without either one, your reviews stay published, but you
          can no longer edit or delete them.
        </p>
      </div>
      {lock === null ? (
        <LoadFailure>{FAILURES.lockLoad}</LoadFailure>
      ) : (
        <LockControls
          user={user}
          isLocked={lock.locked}
          eligibility={lockEligibility(lock, doctor)}
        />
      )}
    </ProfileSection>
  );
}

interface LockControlsProps {
  user: User;
  isLocked: boolean;
  eligibility: LockEligibility;
}

function LockControls({ user, isLocked, eligibility }: LockControlsProps) {
  const [opened, setOpened] = useState<LockPurpose | 'unlock' | null>(null);
  // In memory only. Kept when the dialog closes, because the user may have written it down already.
  const [code, setCode] = useState(newRecoveryCode);
  const [message, setMessage] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const Icon = isLocked ? Lock : LockOpen;

  // Runs after the dialog has closed, because a modal dialog traps the focus.
  useEffect(() => {
    if (message !== null) opener.current?.focus();
  }, [message]);

  function finish(done: string) {
    setOpened(null);
    setMessage(done);
    setCode(newRecoveryCode());
  }

  function open(dialog: LockPurpose | 'unlock') {
    setMessage(null);
    setOpened(dialog);
  }

  const close = () => setOpened(null);
  return (
    <>
      {message !== null && <Banner tone="success">{message}</Banner>}
      <p className="flex items-center gap-2 font-semibold">
        <Icon aria-hidden className="size-5 shrink-0" />
        <span>{isLocked ? 'Your reviews are locked.' : 'Your reviews are not locked.'}</span>
      </p>
      {!isLocked && <LockEligibilityNote eligibility={eligibility} />}
      {(isLocked || eligibility !== 'needs-proof') && (
        <div className="flex flex-wrap gap-3">
          <Button
            ref={opener}
            variant="secondary"
            onClick={() => open(isLocked ? 'new-code' : 'lock')}
          >
            {isLocked ? 'Create a new recovery code' : 'Lock my reviews'}
          </Button>
          {isLocked && (
            <Button variant="quiet" onClick={() => open('unlock')}>
              Unlock my reviews
            </Button>
          )}
        </div>
      )}
      {(opened === 'lock' || opened === 'new-code') && (
        <LockDialog user={user} purpose={opened} code={code} onClose={close} onDone={finish} />
      )}
      {opened === 'unlock' && <UnlockDialog user={user} onClose={close} onDone={finish} />}
    </>
  );
}

/**
 * Locking requires a proof, because nobody could find the reviews of an impostor who locked them.
 */
function LockEligibilityNote({ eligibility }: { eligibility: LockEligibility }) {
  if (eligibility === 'proven') return null;
  if (eligibility === 'match-is-enough') {
    return (
      <p className="text-sm text-ink-soft">
        On this site, a match with the NPI registry is enough to lock your reviews. Other Curbside
        sites also require proof that the NPI is yours.
      </p>
    );
  }
  return (
    <p key="needs-proof" className="text-ink-soft">
      To lock your reviews, first prove that the NPI is yours. Otherwise, an impostor could lock
      reviews, and nobody could find them.{' '}
      <Link to={paths.verificationRequired()} className="prose-link whitespace-nowrap">
        Prove your NPI
      </Link>
    </p>
  );
}
