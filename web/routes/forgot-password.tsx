import { RESET_TTL_MS } from '#contract/limits.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { ForgotPasswordForm } from '#web/features/accounts/forgot-password-form.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';

const RESET_HOURS = RESET_TTL_MS / 3_600_000;

export const meta = () =>
  pageMeta('Forgot password', 'Choose a new password by a link to your e-mail address.');

export default function ForgotPassword() {
  return (
    <AccountScreen
      title="Forgot password"
      lede={
        <p>
          If the address has an account, we send a link to choose a new password. It works once,
          within {RESET_HOURS} hours.
        </p>
      }
    >
      <ForgotPasswordForm />
    </AccountScreen>
  );
}
