import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Doctor } from '#contract/doctors.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

const POLLS = 10;
const POLL_EVERY_MS = 3000;

const UNANSWERED =
  'The registry has not answered yet. We’ll keep trying. You can leave this page and come back later.';

/**
 * Queries the registry again. While a response is pending, the page's loader polls for it, even
 * right after the page opens, because the response usually arrives within seconds of signing up.
 */
export function useRegistryCheck({ verification: { status } }: Doctor) {
  const isPending = status === 'pending';
  const [polls, setPolls] = useState(0);
  const { revalidate } = useRevalidator();
  const { send, isBusy, isDone, error } = useWrite(verificationWrites, 'checkRegistry', {
    onDone: () => setPolls(0),
  });

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
    return isDone ? 'answered' : 'idle';
  }

  return { state: state(), error, checkAgain: () => send({ body: {} }) };
}

interface CheckAgainProps extends ReturnType<typeof useRegistryCheck> {
  doctor: Doctor;
}

export function CheckAgain({ doctor, state, error, checkAgain }: CheckAgainProps) {
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
