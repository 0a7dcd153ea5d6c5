import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

/** Null if they could not be loaded. */
export async function loadVerificationSteps(): Promise<VerificationSteps | null> {
  try {
    return await api.call(verificationEndpoints.steps);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
