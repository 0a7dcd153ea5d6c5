import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import {
  PASSWORDS_DIFFER,
  ResetConfirmRequest,
  type ResetLink,
  ResetPassword,
} from '#contract/accounts.ts';
import { RESET_REDIRECT_MS } from '#contract/limits.ts';
import { RESET_PASSWORD_RULES } from '#contract/password-rules.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { resetPasswordWrites } from './account-writes.ts';
import { authFailure, FAILURES, showFailure } from './failures.ts';
import { NewPasswordField, PasswordField, RecoveryCodeField } from './password-fields.tsx';

const SIGNED_OUT =
  'You are no longer signed in here. Please read the note about locked reviews before you continue.';

const ResetForm = z.strictObject({
  new_password: ResetPassword,
  confirm_password: z.optional(z.string()),
  recovery_code: ResetConfirmRequest.shape.recovery_code,
});

/** An empty field means no code. */
const codeOrNone = { setValueAs: (typed?: string) => (typed?.trim() === '' ? undefined : typed) };

/** Sets a new password with the link from a reset email, then goes to the login page. */
export function ResetPasswordForm({ link }: { link: ResetLink }) {
  const { user } = useSession();
  const { register, handleSubmit, setError, watch, formState } = useForm({
    resolver: zodResolver(ResetForm),
  });
  const { errors } = formState;
  const [isDone, setDone] = useState(false);
  const navigate = useNavigate();
  const { new_password: password = '', confirm_password: confirmed = '' } = watch();
  const differ = password !== confirmed;

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate(paths.login()), RESET_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);

  const { send, isBusy } = useWrite(resetPasswordWrites, 'reset', {
    onDone: (result) =>
      result === 'done' ? setDone(true) : setError('root', { message: SIGNED_OUT }),
    onError: (error) =>
      showFailure(setError, error, ['recovery_code'], authFailure(error, FAILURES.reset)),
  });
  const reset = handleSubmit(({ confirm_password: _, ...request }) =>
    send({ ...link, ...request }),
  );

  if (isDone) return <Banner tone="success">{ACCOUNT_MESSAGES.passwordReset}</Banner>;
  return (
    <form method="post" noValidate onSubmit={reset} className="flex flex-col gap-5">
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
      <Button type="submit" size="lg" busy={isBusy} disabled={differ || password === ''}>
        {isBusy ? 'Resetting...' : 'Reset Password'}
      </Button>
    </form>
  );
}

/** What a reset does to locked reviews. The page cannot know whether they are locked. */
function ResetWarning({ signedInAs }: { signedInAs: string | undefined }) {
  return (
    <Banner tone="info">
      <p>
        If you locked your reviews, a reset without the recovery code leaves them published, but you
        will no longer be able to edit or delete them.
      </p>
      <p className="mt-2">
        {signedInAs === undefined ? (
          <span>
            You don’t need the code in a browser that is still signed in to your account. If you
            have one, open the link from the email there.
          </span>
        ) : (
          <span key="signed-in">
            This browser is signed in as <strong>{signedInAs}</strong>. If you reset the password of
            that account here, you don’t need the code.
          </span>
        )}
      </p>
    </Banner>
  );
}
