import { staffEndpoints } from '#contract/endpoints/staff.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const staffWrites = pageWrites({
  appoint: call(staffEndpoints.appoint),
  dismiss: call(staffEndpoints.dismiss),
  resetFactor: call(staffEndpoints.resetFactor),
});
