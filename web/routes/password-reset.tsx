import type { ResetLink } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { ERRORS } from '#contract/errors.ts';
import { AccountScreen } from '#web/features/accounts/account-screen.tsx';
import { resetPasswordWrites } from '#web/features/accounts/account-writes.ts';
import { ResetPasswordForm } from '#web/features/accounts/reset-password-form.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/password-reset.ts';

export const meta = () => pageMeta('Reset password');

/** Null if the link does not work, or no longer works. */
export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<ResetLink | null> {
  const { searchParams } = new URL(request.url);
  const link = {
    token: searchParams.get('token') ?? '',
    uidb64: searchParams.get('uidb64') ?? '',
  };
  const check = api.call(accountEndpoints.checkResetLink, { query: link, signal: request.signal });
  return (await orNull(check)) && link;
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
