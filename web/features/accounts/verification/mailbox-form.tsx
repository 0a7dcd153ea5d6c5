import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { MailboxRequest } from '#contract/verification.ts';
import { authFailure, FAILURES, fieldFailures } from '#web/features/accounts/failures.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useProofWrite } from './write-proof.ts';

interface MailboxFormProps {
  /** What was typed before. */
  email: string;
  onSent: (email: string, message: string) => void;
}

/** Asks for the address at the institution, and has a code sent there. */
export function MailboxForm({ email, onSent }: MailboxFormProps) {
  const { register, handleSubmit, setError, getValues, formState } = useForm({
    resolver: zodResolver(MailboxRequest),
    defaultValues: { email },
  });
  const { errors } = formState;

  const { send, isBusy } = useProofWrite('mailMailboxCode', (outcome) => {
    if ('ok' in outcome) return onSent(getValues('email'), outcome.ok.message);
    const { error } = outcome;
    const [notListed] = fieldFailures(error).filter(([field]) => field === 'email');
    if (notListed) setError('email', { message: notListed[1] }, { shouldFocus: true });
    else setError('root', { message: authFailure(error, FAILURES.mailbox) });
  });

  return (
    <form
      method="post"
      noValidate
      onSubmit={handleSubmit(send)}
      className="flex max-w-form flex-col gap-4"
    >
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="Address at your institution" error={errors.email?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...register('email')}
            type="email"
            // Not the address of the account, which a browser would fill in.
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
