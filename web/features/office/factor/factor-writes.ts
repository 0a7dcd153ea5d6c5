import { digestEndpoints, factorEndpoints } from '#contract/endpoints/staff.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const factorWrites = pageWrites(
  {
    begin: call(factorEndpoints.begin),
    confirm: call(factorEndpoints.confirm),
    newRecoveryCodes: call(factorEndpoints.newRecoveryCodes),
    remove: call(factorEndpoints.remove),
    digest: call(digestEndpoints.set),
  },
  // After setup, the page shows only the recovery codes.
  { revalidates: ['newRecoveryCodes', 'remove', 'digest'] },
);
