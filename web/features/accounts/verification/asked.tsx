import { PROOF_TEXTS } from '#contract/proof-requests.ts';
import type { OwnProofRequest } from '#contract/verification.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { SupportLink } from '#web/ui/support-link.tsx';

/** What an administrator asked the account's holder for. */
export const Asked = ({ request: { asked, asked_on } }: { request: OwnProofRequest }) => (
  <Banner tone="info" className="mb-8">
    <p className="font-semibold lining-nums">
      We looked at your account on {formatLongDate(asked_on)}, and cannot confirm it yet.
    </p>
    <p>{PROOF_TEXTS[asked].text}</p>
    <p>
      We look again once you have done so. Questions? Write to <SupportLink />.
    </p>
  </Banner>
);
