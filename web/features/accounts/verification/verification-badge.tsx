import type { Doctor } from '#contract/doctors.ts';
import { Badge } from '#web/ui/badge.tsx';

export function VerificationBadge({ doctor }: { doctor: Doctor | null }) {
  return doctor?.verified ? (
    <Badge tone="accent">Verified</Badge>
  ) : (
    <Badge tone="plain">Unverified</Badge>
  );
}
