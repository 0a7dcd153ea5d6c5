import type { Doctor } from '#contract/verification/doctors.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { SupportLink } from '#web/ui/links.tsx';

export function VerificationBadge({ doctor }: { doctor: Doctor | null }) {
  return doctor?.verified ? (
    <Badge tone="accent">Verified</Badge>
  ) : (
    <Badge tone="plain">Unverified</Badge>
  );
}

/** Verified, but without permission to post. */
export const isReadOnly = (doctor: Doctor) => doctor.verified && !doctor.can_post_reviews;

export function PostingStatus({ doctor }: { doctor: Doctor }) {
  const { posting_from } = doctor.verification;
  if (posting_from !== undefined) {
    return (
      <span key="later">
        You can read reviews, but you can’t post yet. Reviews from an earlier account with your NPI
        are still published, so you can post again starting{' '}
        <strong className="lining-nums">{formatLongDate(posting_from)}</strong>.
      </span>
    );
  }
  return (
    <span key="denied">
      You can read reviews, but you can’t post. An administrator has not given your account
      permission. If you think this is a mistake, write to <SupportLink />.
    </span>
  );
}
