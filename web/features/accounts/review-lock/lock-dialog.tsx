import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import { LockRequest } from '#contract/review-lock.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { useAccountWrite } from '#web/features/accounts/write-account.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { codeDifference } from './code-difference.ts';
import { CodeStep } from './code-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { lockFailure } from './lock-failure.ts';
import { MeaningStep } from './meaning-step.tsx';

/** Where the reviews are locked already, the same steps replace the recovery code. */
export type LockPurpose = 'lock' | 'new-code';

const WORDS = {
  lock: { title: 'Lock my reviews', submit: 'Lock my reviews', busy: 'Locking...' },
  'new-code': { title: 'Make a new recovery code', submit: 'Use the new code', busy: 'Saving...' },
} as const;

const STEPS = ['meaning', 'code', 'confirm'] as const;
type Step = (typeof STEPS)[number];

interface LockDialogProps {
  user: User;
  purpose: LockPurpose;
  /** A new recovery code. */
  code: string;
  onClose: () => void;
  /** With what the server says. */
  onDone: (message: string) => void;
}

/** Explains, shows a new recovery code, and has it typed back. */
export function LockDialog({ user, purpose, code, onClose, onDone }: LockDialogProps) {
  const formId = useId();
  const [step, setStep] = useState<Step>('meaning');
  const top = useRef<HTMLParagraphElement>(null);
  const form = useForm({ resolver: zodResolver(LockRequest) });
  const words = WORDS[purpose];

  function goTo(next: Step) {
    flushSync(() => setStep(next));
    top.current?.focus();
  }

  const { send, isBusy } = useAccountWrite('lockReviews', (outcome) => {
    if ('ok' in outcome) return onDone(outcome.ok.message);
    const { field, message } = lockFailure(outcome.error, FAILURES.lock, FAILURES.lockNoAnswer);
    form.setError(field, { message }, { shouldFocus: field !== 'root' });
  });
  const submit = form.handleSubmit((body) => {
    const difference = codeDifference(code, body.recovery_code);
    if (difference === null) void send({ body });
    else form.setError('recovery_code', { message: difference }, { shouldFocus: true });
  });

  return (
    <Dialog
      isOpen
      title={words.title}
      onClose={onClose}
      actions={
        // With keys: a button that turns into the one that submits would submit at the same click.
        {
          meaning: (
            <>
              <Button key="cancel" variant="secondary" onClick={onClose}>
                Cancel
              </Button>
              <Button key="to-code" onClick={() => goTo('code')}>
                Continue
              </Button>
            </>
          ),
          code: (
            <>
              <Button key="to-meaning" variant="secondary" onClick={() => goTo('meaning')}>
                Back
              </Button>
              <Button key="to-confirm" onClick={() => goTo('confirm')}>
                I have saved the code
              </Button>
            </>
          ),
          confirm: (
            <>
              <Button key="back-to-code" variant="secondary" onClick={() => goTo('code')}>
                Back
              </Button>
              <Button key="submit" type="submit" form={formId} busy={isBusy}>
                {isBusy ? words.busy : words.submit}
              </Button>
            </>
          ),
        }[step]
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
