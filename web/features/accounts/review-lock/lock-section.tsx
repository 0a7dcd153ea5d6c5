import { Lock, LockOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ReviewLock, UnlockRequest, type User } from '#contract/accounts/accounts.ts';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { profileWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, failureOr } from '#web/features/accounts/failures.ts';
import { LoadFailure, ProfileSection } from '#web/features/accounts/profile-section.tsx';
import { Form } from '#web/form/form.tsx';
import type { Typed } from '#web/form/form-field.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths, REVIEW_LOCK_ID } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { currentPassword, RECOVERY_CODE } from '../account-fields.ts';
import type { LockPurpose } from './lock-steps.tsx';
import { CodeStep, lockRequest, MeaningStep } from './lock-steps.tsx';
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

/** The step after each, and its button. */
const NEXT: Record<Step, readonly [Step, string] | null> = {
  meaning: ['code', 'Continue'],
  code: ['confirm', 'I saved the code'],
  confirm: null,
};
const BACK: Record<Step, Step | null> = { meaning: null, code: 'meaning', confirm: 'code' };

interface LockDialogProps {
  user: User;
  purpose: LockPurpose;
  code: string;
  onClose: () => void;
  onDone: (message: string) => void;
}

function LockDialog({ user, purpose, code, onClose, onDone }: LockDialogProps) {
  const [step, setStep] = useState<Step>('meaning');
  const [typed, setTyped] = useState<Typed>({});
  const top = useRef<HTMLParagraphElement>(null);
  const words = WORDS[purpose];
  const back = BACK[step];
  const next = NEXT[step];

  function goTo(next: Step) {
    flushSync(() => setStep(next));
    top.current?.focus();
  }

  const { send, error } = useWrite(profileWrites, 'lockReviews', {
    onDone: (answer) => onDone(answer.message),
  });

  return (
    <Form
      dialog={{ title: words.title, onClose }}
      schema={lockRequest(code)}
      fields={
        step === 'confirm'
          ? [
              { ...RECOVERY_CODE, value: typed['recovery_code'] },
              currentPassword(user.email, { value: typed['password'] }),
            ]
          : []
      }
      onType={setTyped}
      action={[
        {
          value: 'back',
          text: back ? 'Back' : 'Cancel',
          variant: 'secondary',
          onClick: () => (back ? goTo(back) : onClose()),
        },
        next
          ? { value: 'next', text: next[1], onClick: () => goTo(next[0]) }
          : { text: words.submit, busyText: words.busy },
      ]}
      error={error}
      failure={(failed, isAtField) =>
        !isAtField &&
        authFailure(failed, failed.status === null ? FAILURES.lockNoAnswer : FAILURES.lock)
      }
      onSubmit={(body) => send({ body })}
      form={{ className: 'flex flex-col gap-4' }}
    >
      <p ref={top} tabIndex={-1} className="label-caps text-ink-faint outline-none">
        Step {STEPS.indexOf(step) + 1} of {STEPS.length}
      </p>
      {step === 'meaning' && <MeaningStep purpose={purpose} />}
      {step === 'code' && <CodeStep code={code} />}
      {step === 'confirm' && (
        <p>Enter the code from where you saved it, to make sure that it is complete.</p>
      )}
    </Form>
  );
}

interface UnlockDialogProps {
  user: User;
  onClose: () => void;
  onDone: (message: string) => void;
}

function UnlockDialog({ user, onClose, onDone }: UnlockDialogProps) {
  const { send, error } = useWrite(profileWrites, 'unlockReviews', {
    onDone: (answer) => onDone(answer.message),
  });
  return (
    <Form
      dialog={{ title: 'Unlock my reviews' }}
      schema={UnlockRequest}
      fields={[currentPassword(user.email)]}
      action={{ text: 'Unlock my reviews', busyText: 'Unlocking...' }}
      error={error}
      failure={failureOr(FAILURES.unlock)}
      onSubmit={(body) => send({ body })}
      onCancel={onClose}
    >
      <p>
        Your reviews stay anonymous on the site. But as before you locked them, someone with the
        database and Curbside’s key can look up who wrote them.
      </p>
      <p>
        You no longer risk losing your reviews if you forget your password, and your recovery code
        stops working. You’ll be signed out everywhere else, and can sign back in.
      </p>
    </Form>
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
