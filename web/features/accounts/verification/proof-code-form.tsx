import { zodResolver } from '@hookform/resolvers/zod';
import type { ComponentPropsWithRef } from 'react';
import { useForm } from 'react-hook-form';
import type { LetterCodeRequest, MailboxCodeRequest } from '#contract/verification.ts';
import { authFailure, FAILURES, fieldFailures } from '#web/features/accounts/failures.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useProofWrite } from './write-proof.ts';

interface ProofCodeFormProps extends ComponentPropsWithRef<'input'> {
  schema: typeof LetterCodeRequest | typeof MailboxCodeRequest;
  write: 'confirmLetter' | 'confirmMailbox';
  label: string;
  hint: string;
  onRefused?: () => void;
}

/** Sends the code that came by letter or by mail. */
export function ProofCodeForm(props: ProofCodeFormProps) {
  const { schema, write, label, hint, onRefused, ...input } = props;
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(schema),
  });
  const { errors } = formState;

  const { send, isBusy } = useProofWrite(write, (outcome) => {
    if ('ok' in outcome) return;
    const { error } = outcome;
    const [wrongCode] = fieldFailures(error).filter(([field]) => field === 'code');
    if (wrongCode) setError('code', { message: wrongCode[1] }, { shouldFocus: true });
    else setError('root', { message: authFailure(error, FAILURES.proofCode) });
    onRefused?.();
  });

  return (
    <form
      method="post"
      noValidate
      onSubmit={handleSubmit(send)}
      className="flex max-w-form flex-col gap-4"
    >
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label={label} hint={hint} error={errors.code?.message}>
        {(control) => (
          <TextInput
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            // Codes are pasted with the spaces of the mail.
            {...register('code', {
              setValueAs: (typed?: string) => typed?.replaceAll(/[\s-]/g, ''),
            })}
            className="font-code text-lg"
          />
        )}
      </Field>
      <Button type="submit" className="self-start" busy={isBusy}>
        {isBusy ? 'Checking...' : 'Confirm the code'}
      </Button>
    </form>
  );
}
