import { useEffect, useState } from 'react';
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
import { Form } from '#web/form/form.tsx';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { newPassword, RECOVERY_CODE } from './account-fields.ts';
import { resetPasswordWrites } from './account-writes.ts';
import { authFailure, FAILURES } from './failures.ts';

const SIGNED_OUT =
  'You are no longer signed in here. Please read the note about locked reviews before you continue.';

const ResetForm = z.strictObject({
  new_password: ResetPassword,
  recovery_code: ResetConfirmRequest.shape.recovery_code,
});

/** Sets a new password with the link from a reset email, then goes to the login page. */
export function ResetPasswordForm({ link }: { link: ResetLink }) {
  const { user } = useSession();
  const [isDone, setDone] = useState(false);
  const [isSignedOut, setSignedOut] = useState(false);
  const navigate = useNavigate();

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate(paths.login()), RESET_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);

  const { send, error } = useWrite(resetPasswordWrites, 'reset', {
    onDone: (result) => (result === 'done' ? setDone(true) : setSignedOut(true)),
  });

  if (isDone) return <Banner tone="success">{ACCOUNT_MESSAGES.passwordReset}</Banner>;
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
