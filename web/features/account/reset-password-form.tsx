import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import {
  ACCOUNT_MESSAGES,
  PASSWORDS_DIFFER,
  RESET_PASSWORD_RULES,
  type ResetLink,
  ResetPassword,
} from '#contract/accounts.ts';
import { RESET_REDIRECT_MS } from '#contract/limits.ts';
import { apiPaths, paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { authFailure, FAILURES } from './failures.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordField } from './password-field.tsx';

const ResetForm = z.strictObject({
  new_password: ResetPassword,
  confirm_password: z.optional(z.string()),
});

/** Sets a new password with the link of a reset mail, then leads to the login. */
export function ResetPasswordForm({ link }: { link: ResetLink }) {
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

  const confirm = handleSubmit(async ({ new_password }) => {
    try {
      await api.post(apiPaths.passwordResetConfirm(), { ...link, new_password });
      // A new password ends every session, so also one of this browser.
      api.endSession();
      setDone(true);
    } catch (error) {
      setError('root', { message: authFailure(error, FAILURES.reset) });
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
      <Button type="submit" size="lg" busy={isSubmitting} disabled={differ || password === ''}>
        {isSubmitting ? 'Resetting...' : 'Reset Password'}
      </Button>
    </form>
  );
}
