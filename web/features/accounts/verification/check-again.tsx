import { useEffect, useRef } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import type { RegistryCheckState } from './use-registry-check.ts';

const UNANSWERED =
  'The registry has not answered yet. We keep asking: you can leave this page and come back later.';

interface CheckAgainProps {
  isOffered: boolean;
  /** What the last check found, and when. */
  result: string;
  state: RegistryCheckState;
  checkAgain: () => Promise<void>;
}

/** The button, and what comes of it. */
export function CheckAgain({ isOffered, result, state, checkAgain }: CheckAgainProps) {
  const message = useRef<HTMLParagraphElement>(null);
  const isChecking = state === 'checking';

  // The button may be gone by then, and the focus with it.
  useEffect(() => {
    if (state === 'answered') message.current?.focus();
  }, [state]);

  return (
    <div className="flex flex-col gap-3 print:hidden">
      {typeof state === 'object' && <Banner tone="error">{state.failure}</Banner>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {isOffered && (
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
          {state === 'checking' && 'Checking with the registry...'}
          {state === 'answered' && result}
          {state === 'unanswered' && UNANSWERED}
        </p>
      </div>
    </div>
  );
}
