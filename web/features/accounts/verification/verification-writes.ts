import { accountEndpoints } from '#contract/endpoints/account.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { session } from '#web/lib/session.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const verificationWrites = pageWrites({
  correctName: call(accountEndpoints.update),
  checkRegistry: call(verificationEndpoints.checkRegistry, session.setDoctor),
  orderLetter: call(verificationEndpoints.orderLetter),
  confirmLetter: call(verificationEndpoints.confirmLetter, session.setDoctor),
  mailMailboxCode: call(verificationEndpoints.mailMailboxCode),
  confirmMailbox: call(verificationEndpoints.confirmMailbox, session.setDoctor),
});
