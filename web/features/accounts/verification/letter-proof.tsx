import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Doctor } from '#contract/doctors.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { type Letter, LetterCodeRequest } from '#contract/verification.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LetterState } from './letter-state.tsx';
import { NextLetter } from './next-letter.tsx';
import { ProofChoice } from './proof-choice.tsx';
import { ProofCodeForm } from './proof-code-form.tsx';
import { PROOF_NAMES } from './proof-kinds.ts';

interface LetterProofProps {
  letter: Letter | null;
  /** The first day that a letter can be asked for; null where none can. */
  letterFrom: string | null;
  onProven: (doctor: Doctor) => Promise<void>;
}

/** A code on paper, sent to the practice address in the registry. */
export function LetterProof({ letter, letterFrom, onProven }: LetterProofProps) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const state = useRef<HTMLDivElement>(null);
  const { revalidate } = useRevalidator();

  async function order() {
    setSending(true);
    setFailure(null);
    try {
      await api.call(verificationEndpoints.orderLetter, { body: {} });
      await revalidate();
      // The button is gone, and the focus with it.
      state.current?.focus();
    } catch (error) {
      setFailure(authFailure(error, FAILURES.letter));
    } finally {
      setSending(false);
    }
  }

  return (
    <ProofChoice title={PROOF_NAMES.letter} takes="About a week">
      <div ref={state} tabIndex={-1} className="text-ink-soft outline-none">
        <LetterState letter={letter} />
      </div>
      {letter?.state === 'sent' && (
        <ProofCodeForm
          schema={LetterCodeRequest}
          endpoint={verificationEndpoints.confirmLetter}
          label="Code from the letter"
          hint="Capital letters, spaces and hyphens do not matter."
          autoCapitalize="characters"
          onProven={onProven}
          // It says how many attempts are left.
          onRefused={revalidate}
        />
      )}
      {failure !== null && <Banner tone="error">{failure}</Banner>}
      <NextLetter from={letterFrom} isFirst={letter === null}>
        <Button variant="secondary" className="self-start" busy={isSending} onClick={order}>
          {letter === null ? 'Send me a letter' : 'Send me a new letter'}
        </Button>
      </NextLetter>
    </ProofChoice>
  );
}
