import { accountEndpoints } from '#contract/endpoints/account.ts';
import {
  EmailLinkScreen,
  emailLinkWrites,
  tokenIn,
} from '#web/features/accounts/email-link-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LoadingNotice } from '#web/ui/loading.tsx';
import type { Route } from './+types/confirm-email.ts';

export const meta = () => pageMeta('New email address');

const writes = emailLinkWrites(accountEndpoints.confirmEmail);
export const clientAction = writes.clientAction;

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => tokenIn(request);

export function HydrateFallback() {
  return <LoadingNotice />;
}

export default function ConfirmEmail({ loaderData }: Route.ComponentProps) {
  return (
    <EmailLinkScreen
      title="New email address"
      says="From then on, you log in with the new address."
      button="Confirm the new address"
      token={loaderData}
      writes={writes}
    />
  );
}
