import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { call, pageWrites } from '#web/lib/write.ts';

/** The text of the fields, not validated yet. */
export interface CorrectionDraft {
  field: string;
  value: string;
  source: string;
}

/**
 * Navigation state with what a reader typed before logging in. The login page passes it on. It is
 * never in a URL or in storage.
 */
export interface CorrectionOnReturn {
  correction: CorrectionDraft;
  notice: string;
}

export const correctionWrites = pageWrites(
  { correct: call(employerEndpoints.correct) },
  { revalidates: [] },
);
