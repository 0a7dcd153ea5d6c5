import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const correctionWrites = pageWrites(
  { correct: call(employerEndpoints.correct) },
  { revalidates: [] },
);
