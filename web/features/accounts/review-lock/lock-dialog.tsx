import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import { LockRequest } from '#contract/review-lock.ts';
import { profileWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, showFailure } from '#web/features/accounts/failures.ts';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CodeStep, ConfirmStep, codeDifference, MeaningStep } from './lock-steps.tsx';

/** If the reviews are locked already, the same steps replace the recovery code. */
export type LockPurpose = 'lock' | 'new-code';

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

export function LockDialog({ user, purpose, code, onClose, onDone }: LockDialogProps) {
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
