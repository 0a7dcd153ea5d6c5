import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { MailboxRequest } from '#contract/verification.ts';
import { authFailure, FAILURES, fieldFailures } from '#web/features/accounts/failures.ts';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface MailboxFormProps {
  /** What was typed before. */
  email: string;
  onSent: (email: string, message: string) => void;
}

/** Asks for the address at the institution, and has a code sent there. */
export function MailboxForm({ email, onSent }: MailboxFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(MailboxRequest),
    defaultValues: { email },
  });
  const { errors, isSubmitting } = formState;

  const send = handleSubmit(async (request) => {
    try {
      const { message } = await api.call(verificationEndpoints.mailMailboxCode, { body: request });
      onSent(request.email, message);
    } catch (error) {
      const [notListed] = fieldFailures(error).filter(([field]) => field === 'email');
      if (notListed) setError('email', { message: notListed[1] }, { shouldFocus: true });
      else setError('root', { message: authFailure(error, FAILURES.mailbox) });
    }
  });

  return (
    <form method="post" noValidate onSubmit={send} className="flex max-w-form flex-col gap-4">
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
      <Button type="submit" variant="secondary" className="self-start" busy={isSubmitting}>
        {isSubmitting ? 'Sending...' : 'Send the code'}
      </Button>
    </form>
  );
}
