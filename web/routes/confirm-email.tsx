import { accountEndpoints } from '#contract/endpoints/account.ts';
import { EmailLinkScreen } from '#web/features/accounts/email-link-screen.tsx';
import { followAccount, openEmailLink } from '#web/features/accounts/open-email-link.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/confirm-email.ts';

export const meta = () => pageMeta('New e-mail address');

/** Opening the link is all that is asked for. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const outcome = await openEmailLink(accountEndpoints.confirmEmail, request);
  if (outcome.isDone) await followAccount();
  return outcome;
}

/** The link works once. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return <LoadingNotice>Confirming your address...</LoadingNotice>;
}

export default function ConfirmEmail({ loaderData }: Route.ComponentProps) {
  return <EmailLinkScreen title="New e-mail address" outcome={loaderData} />;
}
