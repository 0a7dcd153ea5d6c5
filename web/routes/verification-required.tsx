import { VerificationScreen } from '#web/features/account/verification-screen.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';

export const meta = () => pageMeta('Verification Required');

export default function VerificationRequired() {
  return <VerificationScreen />;
}
