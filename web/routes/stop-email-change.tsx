import { accountEndpoints } from '#contract/endpoints/account.ts';
import {
  AfterUndo,
  EmailLinkScreen,
  openEmailLink,
} from '#web/features/accounts/email-link-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/stop-email-change.ts';

export const meta = () => pageMeta('Keep my email address');

/** Opening the link cancels a pending change, or undoes a confirmed one. */
export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  openEmailLink(accountEndpoints.stopEmailChange, request);

/** Never loads again, because the link works only once. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return <LoadingNotice>Keeping your address...</LoadingNotice>;
}

export default function StopEmailChange({ loaderData }: Route.ComponentProps) {
  return (
    <EmailLinkScreen title="Keep my email address" outcome={loaderData}>
      {loaderData.isDone && <AfterUndo />}
    </EmailLinkScreen>
  );
}
