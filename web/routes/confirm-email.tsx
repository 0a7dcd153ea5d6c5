import { accountEndpoints } from '#contract/endpoints/account.ts';
import {
  EmailLinkScreen,
  openEmailLink,
  reloadAccount,
} from '#web/features/accounts/email-link-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/confirm-email.ts';

export const meta = () => pageMeta('New email address');

/** Opening the link confirms the address. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const outcome = await openEmailLink(accountEndpoints.confirmEmail, request);
  if (outcome.isDone) await reloadAccount();
  return outcome;
}

/** Never loads again, because the link works only once. */
export const shouldRevalidate = () => false;

export function HydrateFallback() {
  return <LoadingNotice>Confirming your address...</LoadingNotice>;
}

export default function ConfirmEmail({ loaderData }: Route.ComponentProps) {
  return <EmailLinkScreen title="New email address" outcome={loaderData} />;
}
