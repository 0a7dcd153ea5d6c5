import type { VerificationSteps } from '#contract/verification.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

/** Null if they could not be loaded. */
export async function loadVerificationSteps(): Promise<VerificationSteps | null> {
  try {
    return await api.get<VerificationSteps>(apiPaths.verification());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
