import { useRef } from 'react';
import { useRevalidator } from 'react-router';
import { type Letter, LetterCodeRequest } from '#contract/verification.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LetterState } from './letter-state.tsx';
import { NextLetter } from './next-letter.tsx';
import { ProofChoice } from './proof-choice.tsx';
import { ProofCodeForm } from './proof-code-form.tsx';
import { PROOF_NAMES } from './proof-kinds.ts';
import { useProofWrite } from './write-proof.ts';

interface LetterProofProps {
  letter: Letter | null;
  /** The first day that a letter can be asked for; null where none can. */
  letterFrom: string | null;
}

/** A code on paper, sent to the practice address in the registry. */
export function LetterProof({ letter, letterFrom }: LetterProofProps) {
  const state = useRef<HTMLDivElement>(null);
  const { revalidate } = useRevalidator();

  const { send, isBusy, outcome } = useProofWrite('orderLetter', (ordered) => {
    // The button is gone, and the focus with it.
    if ('ok' in ordered) state.current?.focus();
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
          hint="Capital letters, spaces and hyphens do not matter."
          autoCapitalize="characters"
          // It says how many attempts are left.
          onRefused={revalidate}
        />
      )}
      {outcome && 'error' in outcome && (
        <Banner tone="error">{authFailure(outcome.error, FAILURES.letter)}</Banner>
      )}
      <NextLetter from={letterFrom} isFirst={letter === null}>
        <Button
          variant="secondary"
          className="self-start"
          busy={isBusy}
          onClick={() => void send({})}
        >
          {letter === null ? 'Send me a letter' : 'Send me a new letter'}
        </Button>
      </NextLetter>
    </ProofChoice>
  );
}
