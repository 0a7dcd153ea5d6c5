import { useEffect, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import * as z from 'zod/mini';
import { ACCOUNT_MESSAGES, RESET_PASSWORD_RULES } from '#contract/accounts/account-rules.ts';
import {
  PASSWORDS_DIFFER,
  ResetConfirmRequest,
  type ResetLink,
  ResetPassword,
} from '#contract/accounts/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { ERRORS } from '#contract/errors.ts';
import { RESET_REDIRECT_MS } from '#contract/limits.ts';
import { newPassword, RECOVERY_CODE } from '#web/features/accounts/account-fields.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { resetPasswordWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { Form } from '#web/form/form.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api, useSession } from '#web/lib/session.ts';
import { ApiError, isUnreachable } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { LoadingNotice } from '#web/ui/loading.tsx';
import type { Route } from './+types/password-reset.ts';

const SIGNED_OUT =
  'You are no longer signed in here. Please read the note about locked reviews before you continue.';

const ResetForm = z.strictObject({
  new_password: ResetPassword,
  recovery_code: ResetConfirmRequest.shape.recovery_code,
});

/** Sets a new password with the link from a reset email, then goes to the login page. */
function ResetPasswordForm({ link }: { link: ResetLink }) {
  const { user } = useSession();
  const [isDone, setDone] = useState(false);
  const [isSignedOut, setSignedOut] = useState(false);
  const navigate = useNavigate();
  const isLeaving = useNavigation().location !== undefined;

  useEffect(() => {
    if (!isDone || isLeaving) return;
    const timer = setTimeout(() => void navigate(paths.login()), RESET_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, isLeaving, navigate]);

  const { send, error } = useWrite(resetPasswordWrites, 'reset', {
    onDone: (result) => (result === 'done' ? setDone(true) : setSignedOut(true)),
  });

  if (isDone) {
    return (
      <Banner tone="success" takesFocus>
        {ACCOUNT_MESSAGES.passwordReset}
      </Banner>
    );
  }
  const [chosen, repeated] = newPassword(
    'new_password',
    ['New password', 'Confirm new password'],
    RESET_PASSWORD_RULES,
    PASSWORDS_DIFFER,
  );
  return (
    <Form
      schema={ResetForm}
      fields={[
        chosen && { ...chosen, isAwaited: true },
        repeated,
        {
          ...RECOVERY_CODE,
          hint: 'Only if you locked your reviews.',
          read: (typed) => (typed.trim() === '' ? undefined : typed),
        },
        <ResetWarning key="warning" signedInAs={user?.email} />,
      ]}
      action={{ text: 'Reset Password', busyText: 'Resetting...', size: 'lg' }}
      error={error}
      failure={(failed) => authFailure(failed, FAILURES.reset)}
      onSubmit={(request) => {
        setSignedOut(false);
        return send({ ...link, ...request });
      }}
    >
      {isSignedOut && <Banner tone="error">{SIGNED_OUT}</Banner>}
    </Form>
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

export const meta = () => pageMeta('Reset password');

/** Null if the link does not work, or no longer works. */
export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<ResetLink | null> {
  const { searchParams } = new URL(request.url);
  const link = {
    token: searchParams.get('token') ?? '',
    uidb64: searchParams.get('uidb64') ?? '',
  };
  try {
    await api.call(accountEndpoints.checkResetLink, { query: link, signal: request.signal });
    return link;
  } catch (error) {
    if (!(error instanceof ApiError) || isUnreachable(error)) throw error;
    return null;
  }
}

export const clientAction = resetPasswordWrites.clientAction;

/** The link works only once, so a second check after the form is sent would call it invalid. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return <LoadingNotice>Validating reset link...</LoadingNotice>;
}

export default function PasswordReset({ loaderData: link }: Route.ComponentProps) {
  if (link === null) {
    return (
      <AccountScreen title="Invalid Reset Link">
        <Banner tone="error">{ERRORS.invalid_reset_link.text}</Banner>
        <Link to={paths.forgotPassword()} className={buttonClass('primary', 'md', 'self-start')}>
          Request New Reset Link
        </Link>
      </AccountScreen>
    );
  }
  return (
    <AccountScreen
      title="Reset password"
      lede={<p>Choose a new password. You’ll be signed out on every device.</p>}
    >
      <ResetPasswordForm link={link} />
    </AccountScreen>
  );
}
