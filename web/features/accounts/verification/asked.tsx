import { PROOF_TEXTS } from '#contract/verification/proof-requests.ts';
import type { OwnProofRequest } from '#contract/verification/verification.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { SupportLink } from '#web/ui/links.tsx';

interface AskedProps {
  request: OwnProofRequest | null | undefined;
  className: string;
}

/** What an administrator asked the account's holder for, until the holder has done something. */
export function Asked({ request, className }: AskedProps) {
  if (!request || request.is_answered) return null;
  return (
    <Banner tone="info" className={className}>
      <p className="font-semibold lining-nums">
        We looked at your account on {formatLongDate(request.asked_on)}, and cannot confirm it yet.
      </p>
      <p>{PROOF_TEXTS[request.asked].text}</p>
      <p>
        We look again once you have done so. Questions? Write to <SupportLink />.
      </p>
    </Banner>
  );
}
