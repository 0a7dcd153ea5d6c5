import { accountEndpoints } from '#contract/endpoints/account.ts';
import { AfterUndo } from '#web/features/accounts/after-undo.tsx';
import { EmailLinkScreen } from '#web/features/accounts/email-link-screen.tsx';
import { openEmailLink } from '#web/features/accounts/open-email-link.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/stop-email-change.ts';

export const meta = () => pageMeta('Keep my e-mail address');

/** Stops a change that waits, and undoes one that was confirmed: opening the link is enough. */
export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  openEmailLink(accountEndpoints.stopEmailChange, request);

/** The link works once. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return <LoadingNotice>Keeping your address...</LoadingNotice>;
}

export default function StopEmailChange({ loaderData }: Route.ComponentProps) {
  return (
    <EmailLinkScreen title="Keep my e-mail address" outcome={loaderData}>
      {loaderData.isDone && <AfterUndo />}
    </EmailLinkScreen>
  );
}
