import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { ACCOUNT_MESSAGES, ForgotPasswordRequest } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { FAILURES } from './failures.ts';

/** Asks for the address, then says that the mail is on its way. */
export function ForgotPasswordForm() {
  const [isSent, setSent] = useState(false);
  const { register, handleSubmit, setError, reset, watch, formState } = useForm({
    resolver: zodResolver(ForgotPasswordRequest),
  });
  const { errors, isSubmitting } = formState;
  const isHydrated = useHydrated();
  const isBlank = (watch('email') ?? '').trim() === '';

  const send = handleSubmit(async (request) => {
    try {
      await api.call(accountEndpoints.requestPasswordReset, { body: request });
      setSent(true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setError('root', {
        message: error.status === 429 ? FAILURES.forgotTooOften : FAILURES.forgot,
      });
    }
  });

  if (isSent) {
    return (
      <>
        <Banner tone="success">{ACCOUNT_MESSAGES.resetSent}</Banner>
        <div className="flex flex-wrap gap-3">
          <Link to={paths.login()} className={buttonClass()}>
            Back to Login
          </Link>
          <Button
            variant="secondary"
            onClick={() => {
              reset();
              setSent(false);
            }}
          >
            Send Another Reset Email
          </Button>
        </div>
      </>
    );
  }
  return (
    <form method="post" noValidate onSubmit={send} className="flex flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <TextInput {...control} {...register('email')} type="email" autoComplete="username" />
        )}
      </Field>
      <Button type="submit" size="lg" busy={isSubmitting} disabled={!isHydrated || isBlank}>
        {isSubmitting ? 'Sending...' : 'Send Reset Email'}
      </Button>
      <Link to={paths.login()} className="prose-link self-start text-sm">
        Back to Login
      </Link>
    </form>
  );
}
