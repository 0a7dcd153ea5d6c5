import { legalEndpoints } from '#contract/endpoints/legal.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const legalWrites = pageWrites({
  record: call(legalEndpoints.record),
  correct: call(legalEndpoints.correct),
  liftGag: call(legalEndpoints.liftGag),
});
