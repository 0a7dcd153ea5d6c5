import { useEffect, useRef, useState } from 'react';
import { MailboxCodeRequest } from '#contract/verification.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { MailboxForm } from './mailbox-form.tsx';
import { ProofChoice } from './proof-choice.tsx';
import { ProofCodeForm } from './proof-code-form.tsx';
import { PROOF_NAMES } from './proof-kinds.ts';

interface MailboxProofProps {
  /** A code was sent, here or in another browser, and can be entered. */
  codeWaits: boolean;
}

/** A one-time code to an address at an institution. */
export function MailboxProof({ codeWaits }: MailboxProofProps) {
  const [step, setStep] = useState<'address' | 'code'>(codeWaits ? 'code' : 'address');
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('A code was sent to your mailbox. Enter it here.');
  const isFirst = useRef(true);
  const top = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the step moves the focus
  useEffect(() => {
    if (!isFirst.current) top.current?.focus();
    isFirst.current = false;
  }, [step]);

  return (
    <ProofChoice title={PROOF_NAMES.mailbox} takes="Some minutes">
      <div ref={top} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {step === 'address' ? (
          <>
            <p className="text-ink-soft">
              We send a code to your address at a hospital, a medical school or a state society. It
              shows that you are on the staff, and counts together with the registry’s match. The
              address proves one account, once, and we do not keep it.
            </p>
            <Banner tone="info">
              <strong>Your employer’s mail system sees the message.</strong> Its subject is neutral,
              and it says nothing about reviews.
            </Banner>
          </>
        ) : (
          <Banner tone="success">{message}</Banner>
        )}
      </div>
      {step === 'address' ? (
        <MailboxForm
          email={email}
          onSent={(sentTo, text) => {
            setEmail(sentTo);
            setMessage(text);
            setStep('code');
          }}
        />
      ) : (
        <>
          <ProofCodeForm
            schema={MailboxCodeRequest}
            write="confirmMailbox"
            label="Verification code"
            hint="The 6 digits from the message."
            inputMode="numeric"
          />
          <Button variant="quiet" className="-ml-5 self-start" onClick={() => setStep('address')}>
            Send a new code
          </Button>
        </>
      )}
    </ProofChoice>
  );
}
