import { accountEndpoints } from '#contract/endpoints/account.ts';
import {
  EmailLinkScreen,
  emailLinkWrites,
  tokenIn,
} from '#web/features/accounts/email-link-screen.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { LoadingNotice } from '#web/ui/loading.tsx';
import type { Route } from './+types/stop-email-change.ts';

export const meta = () => pageMeta('Keep my email address');

const writes = emailLinkWrites(accountEndpoints.stopEmailChange);
export const clientAction = writes.clientAction;

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => tokenIn(request);

export function HydrateFallback() {
  return <LoadingNotice />;
}

/** Cancels a pending change, or undoes a confirmed one. */
export default function StopEmailChange({ loaderData }: Route.ComponentProps) {
  return (
    <EmailLinkScreen
      title="Keep my email address"
      says="This keeps or restores this address, and signs out every device."
      button="Keep my address"
      token={loaderData}
      writes={writes}
    >
      <p className="text-ink-soft">
        Every device has been signed out. Whoever asked for the change may know your password or may
        have set a new one. Choose a new password now. We’ll email you a link.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.forgotPassword()} className={buttonClass('primary')}>
          Reset your password
        </Link>
        <Link to={paths.login()} className={buttonClass('secondary')}>
          Log in
        </Link>
      </div>
    </EmailLinkScreen>
  );
}
