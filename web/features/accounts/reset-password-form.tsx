import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import {
  ACCOUNT_MESSAGES,
  PASSWORDS_DIFFER,
  RESET_PASSWORD_RULES,
  ResetConfirmRequest,
  type ResetLink,
  ResetPassword,
} from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { RESET_REDIRECT_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { api, session, useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { authFailure, FAILURES, fieldFailures } from './failures.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RecoveryCodeField } from './review-lock/recovery-code-field.tsx';
import { ResetWarning } from './review-lock/reset-warning.tsx';

const SIGNED_OUT =
  'You are no longer signed in here. Please read the note on locked reviews before you go on.';

const ResetForm = z.strictObject({
  new_password: ResetPassword,
  confirm_password: z.optional(z.string()),
  recovery_code: ResetConfirmRequest.shape.recovery_code,
});

/** An empty field is no code. */
const codeOrNone = { setValueAs: (typed?: string) => (typed?.trim() === '' ? undefined : typed) };

/** Sets a new password with the link of a reset mail, then leads to the login. */
export function ResetPasswordForm({ link }: { link: ResetLink }) {
  const { user } = useSession();
  const { register, handleSubmit, setError, watch, formState } = useForm({
    resolver: zodResolver(ResetForm),
  });
  const { errors, isSubmitting } = formState;
  const [isDone, setDone] = useState(false);
  const navigate = useNavigate();
  const { new_password: password = '', confirm_password: confirmed = '' } = watch();
  const differ = password !== confirmed;

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate(paths.login()), RESET_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);

  const confirm = handleSubmit(async ({ confirm_password: _, ...request }) => {
    // Only a browser that is still signed in keeps locked reviews: what the form says of it holds.
    try {
      if (session.hasToken()) await api.call(sessionEndpoints.user);
    } catch (error) {
      const isOver = !session.hasToken();
      setError('root', { message: isOver ? SIGNED_OUT : authFailure(error, FAILURES.reset) });
      return;
    }
    try {
      await api.call(accountEndpoints.resetPassword, { body: { ...link, ...request } });
      // A new password ends every session, so also one of this browser.
      api.endSession();
      setDone(true);
    } catch (error) {
      const [wrongCode] = fieldFailures(error).filter(([field]) => field === 'recovery_code');
      if (wrongCode) setError('recovery_code', { message: wrongCode[1] }, { shouldFocus: true });
      else setError('root', { message: authFailure(error, FAILURES.reset) });
    }
  });

  if (isDone) return <Banner tone="success">{ACCOUNT_MESSAGES.passwordReset}</Banner>;
  return (
    <form method="post" noValidate onSubmit={confirm} className="flex flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <NewPasswordField
        label="New password"
        rules={RESET_PASSWORD_RULES}
        typed={password}
        error={errors.new_password?.message}
        {...register('new_password')}
      />
      <PasswordField
        label="Confirm new password"
        error={differ && confirmed !== '' ? PASSWORDS_DIFFER : undefined}
        autoComplete="new-password"
        {...register('confirm_password')}
      />
      <RecoveryCodeField
        hint="Only if you locked your reviews."
        error={errors.recovery_code?.message}
        {...register('recovery_code', codeOrNone)}
      />
      <ResetWarning signedInAs={user?.email} />
      <Button type="submit" size="lg" busy={isSubmitting} disabled={differ || password === ''}>
        {isSubmitting ? 'Resetting...' : 'Reset Password'}
      </Button>
    </form>
  );
}
