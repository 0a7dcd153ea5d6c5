import { factorEndpoints } from '#contract/endpoints/staff.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const factorWrites = pageWrites(
  {
    begin: call(factorEndpoints.begin),
    confirm: call(factorEndpoints.confirm),
    newRecoveryCodes: call(factorEndpoints.newRecoveryCodes),
    remove: call(factorEndpoints.remove),
  },
  // After a set-up, the page shows the recovery codes, and nothing else.
  { revalidates: ['newRecoveryCodes', 'remove'] },
);
