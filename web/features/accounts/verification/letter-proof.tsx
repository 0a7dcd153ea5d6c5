import { useRef } from 'react';
import { useRevalidator } from 'react-router';
import { type Letter, LetterCodeRequest } from '#contract/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { formatLocation, formatLongDate, plural } from '#web/lib/format.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PROOF_NAMES, ProofChoice, ProofCodeForm } from './proof-choice.tsx';

interface LetterProofProps {
  letter: Letter | null;
  /** The first day on which a letter can be ordered. Null if none can. */
  letterFrom: string | null;
}

export function LetterProof({ letter, letterFrom }: LetterProofProps) {
  const state = useRef<HTMLDivElement>(null);
  const { revalidate } = useRevalidator();
  // By this device's clock. The server checks the day.
  const today = new Date().toISOString().slice(0, 10);

  const { send, isBusy, error } = useWrite(verificationWrites, 'orderLetter', {
    // The button that had the focus is gone.
    onDone: () => state.current?.focus(),
  });

  return (
    <ProofChoice title={PROOF_NAMES.letter} takes="About a week">
      <div ref={state} tabIndex={-1} className="text-ink-soft outline-none">
        <LetterState letter={letter} />
      </div>
      {letter?.state === 'sent' && (
        <ProofCodeForm
          schema={LetterCodeRequest}
          write="confirmLetter"
          label="Code from the letter"
          hint="Capitalization, spaces, and hyphens do not matter."
          autoCapitalize="characters"
          // Shows how many attempts are left.
          onFailure={revalidate}
        />
      )}
      {error && <Banner tone="error">{authFailure(error, FAILURES.letter)}</Banner>}
      {letterFrom === null && letter === null && (
        <p className="text-sm">We can’t send you a letter right now.</p>
      )}
      {letterFrom !== null && letterFrom > today && (
        <p className="text-sm text-ink-soft">
          You can order a new letter on or after{' '}
          <span className="lining-nums">{formatLongDate(letterFrom)}</span>.
        </p>
      )}
      {letterFrom !== null && letterFrom <= today && (
        <Button
          variant="secondary"
          className="self-start"
          busy={isBusy}
          onClick={() => send({ body: {} })}
        >
          {letter === null ? 'Send me a letter' : 'Send me a new letter'}
        </Button>
      )}
    </ProofChoice>
  );
}

/** The status of the letter. Shows only the city of its address. */
function LetterState({ letter }: { letter: Letter | null }) {
  if (letter === null) {
    return (
      <p>
        We’ll mail a code to your practice address in the registry. The envelope is plain, and
        nothing on it or in it mentions reviews. If others open your mail there, use an email
        address instead.
      </p>
    );
  }
  const city = formatLocation({ city: letter.city, state: null });
  const { state, requested_on, enter_by, attempts_left } = letter;
  if (state === 'waiting') {
    return (
      <p key="waiting">
        Your letter to <strong className="text-ink">{city}</strong> is waiting to be printed. You
        ordered it on <Day>{requested_on}</Day>. When it arrives, come back and enter its code here.
      </p>
    );
  }
  if (state === 'sent') {
    return (
      <p key="sent">
        Your letter to <strong className="text-ink">{city}</strong> is on its way.
        {enter_by !== null && (
          <span>
            {' '}
            Enter its code by <Day>{enter_by}</Day>.
          </span>
        )}{' '}
        <span>
          You have <span className="lining-nums">{plural(attempts_left, 'attempt')}</span> left.
        </span>
      </p>
    );
  }
  return (
    <p>
      {state === 'expired'
        ? `The code in your letter to ${city} has expired.`
        : `You have no attempts left for the code in your letter to ${city}.`}
    </p>
  );
}

function Day({ children }: { children: string }) {
  return <strong className="text-ink lining-nums">{formatLongDate(children)}</strong>;
}
