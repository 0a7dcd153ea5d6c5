import { loadVerificationSteps } from '#web/features/accounts/verification/load-steps.ts';
import {
  UnknownVisitor,
  VerificationScreen,
} from '#web/features/accounts/verification/verification-screen.tsx';
import { writeProof } from '#web/features/accounts/verification/write-proof.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { settledSession } from '#web/lib/session.ts';
import type { Route } from './+types/verification-required.ts';

export const meta = () =>
  pageMeta(
    'Verification Required',
    'Whether your NPI has been verified, and what happens until then.',
  );

export async function clientLoader() {
  const { doctor } = await settledSession();
  return { steps: doctor && (await loadVerificationSteps()) };
}

export const clientAction = writeProof;

/** What the server renders: the page is the same for everyone. */
export const HydrateFallback = UnknownVisitor;

export default function VerificationRequired({ loaderData: { steps } }: Route.ComponentProps) {
  return <VerificationScreen steps={steps} />;
}
