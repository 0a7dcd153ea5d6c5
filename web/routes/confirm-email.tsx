import { accountEndpoints } from '#contract/endpoints/account.ts';
import { EmailLinkScreen, emailLinkWrites } from '#web/features/accounts/email-link-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';

export const meta = () => pageMeta('New email address');

const writes = emailLinkWrites(accountEndpoints.confirmEmail);
export const clientAction = writes.clientAction;

export default function ConfirmEmail() {
  return (
    <EmailLinkScreen
      title="New email address"
      says="From then on, you log in with the new address."
      button="Confirm the new address"
      writes={writes}
    />
  );
}
