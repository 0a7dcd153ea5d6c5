import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import { RESET_TTL_MS } from '#contract/limits.ts';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { forgotPasswordWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES, showFailure } from '#web/features/accounts/failures.ts';
import { lazyChecks } from '#web/lib/lazy-checks.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

const RESET_HOURS = RESET_TTL_MS / 3_600_000;

export const meta = () =>
  pageMeta('Forgot password', 'Get a link by email to choose a new password.');

export const clientAction = forgotPasswordWrites.clientAction;

export default function ForgotPassword() {
  return (
    <AccountScreen
      title="Forgot password"
      lede={
        <p>
          If the address has an account, we’ll email you a link to choose a new password. It works
          once and expires in {RESET_HOURS} hours.
        </p>
      }
    >
      <ForgotPasswordForm />
    </AccountScreen>
  );
}

const checks = lazyChecks(
  async () => (await import('#web/features/accounts/account-checks.ts')).checkForgotPassword,
);

/** Asks for the address, then says that the email is on its way. */
function ForgotPasswordForm() {
  const [isSent, setSent] = useState(false);
  const { register, handleSubmit, setError, reset, watch, formState } = useForm(checks.options);
  const { errors, isSubmitting } = formState;
  const isHydrated = useHydrated();
  const isBlank = (watch('email') ?? '').trim() === '';

  const { send } = useWrite(forgotPasswordWrites, 'sendLink', {
    onDone: () => setSent(true),
    onError(error) {
      const text = error.status === 429 ? FAILURES.forgotTooOften : FAILURES.forgot;
      showFailure(setError, error, ['email'], text);
    },
  });
  const submit = handleSubmit((body) => send({ body }));

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
    <AccountForm checks={checks} isSubmitting={isSubmitting} onSubmit={submit}>
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
    </AccountForm>
  );
}
