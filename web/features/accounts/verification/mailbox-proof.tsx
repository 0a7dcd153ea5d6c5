import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { MailboxCodeRequest, MailboxRequest } from '#contract/verification.ts';
import { verificationWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, showFailure } from '#web/features/accounts/failures.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { PROOF_NAMES, ProofChoice, ProofCodeForm } from './proof-choice.tsx';

interface MailboxProofProps {
  /** A code was requested, in this browser or another, and can be entered. */
  codeWaits: boolean;
}

export function MailboxProof({ codeWaits }: MailboxProofProps) {
  const [step, setStep] = useState<'address' | 'code'>(codeWaits ? 'code' : 'address');
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('We sent a code to your email address. Enter it here.');
  const isFirst = useRef(true);
  const top = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the step moves the focus
  useEffect(() => {
    if (!isFirst.current) top.current?.focus();
    isFirst.current = false;
  }, [step]);

  return (
    <ProofChoice title={PROOF_NAMES.mailbox} takes="A few minutes">
      <div ref={top} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {step === 'address' ? (
          <>
            <p className="text-ink-soft">
              We’ll send a code to your address at a hospital, a medical school, or a state medical
              society. It shows that you are on staff, and it counts together with the registry
              match. An address can prove only one account, only once, and we do not keep it.
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

interface MailboxFormProps {
  email: string;
  onSent: (email: string, message: string) => void;
}

function MailboxForm({ email, onSent }: MailboxFormProps) {
  const { register, handleSubmit, setError, getValues, formState } = useForm({
    resolver: zodResolver(MailboxRequest),
    defaultValues: { email },
  });
  const { errors } = formState;

  const { send, isBusy } = useWrite(verificationWrites, 'mailMailboxCode', {
    onDone: (answer) => onSent(getValues('email'), answer.message),
    onError: (error) =>
      showFailure(setError, error, ['email'], authFailure(error, FAILURES.mailbox)),
  });

  return (
    <form
      method="post"
      noValidate
      onSubmit={handleSubmit((body) => send({ body }))}
      className="flex max-w-form flex-col gap-4"
    >
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="Email address at your institution" error={errors.email?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...register('email')}
            type="email"
            // Otherwise, browsers would fill in the account's address.
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" className="self-start" busy={isBusy}>
        {isBusy ? 'Sending...' : 'Send the code'}
      </Button>
    </form>
  );
}
