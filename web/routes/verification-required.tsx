import { VerificationScreen } from '#web/features/account/verification-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';

export const meta = () =>
  pageMeta(
    'Verification Required',
    'Whether your NPI has been verified, and what happens until then.',
  );

export default function VerificationRequired() {
  return <VerificationScreen />;
}
