import { expect, test } from 'vitest';
import { sectionOf } from '../../scripts/docs/markdown.ts';
import { LIMITS } from './limits.ts';

test('docs/operations.md states the limits of guesses as in the code', () => {
  const section = sectionOf('docs/operations.md', 'Rate limits').replace(/\s+/g, ' ');
  const { login, loginAccount, loginDevice, code, codeMailFirst, codeMailMore } = LIMITS;
  const mails = codeMailFirst.points + codeMailMore.points;
  for (const stated of [
    `${login.points} wrong logins a ${login.per} for one address`,
    `${loginAccount.points} guesses an ${loginAccount.per} at one account`,
    `${loginDevice.points} wrong logins a ${loginDevice.per} before waits begin`,
    `${code.points} wrong codes an ${code.per} for one mailbox`,
    `${LIMITS.codeMailNetworkDay.points} codes a ${LIMITS.codeMailNetworkDay.per}`,
    `${mails * code.points} guesses an ${code.per}`,
    `${LIMITS.factorCodeAccount.points} guesses a ${LIMITS.factorCodeAccount.per}`,
  ]) {
    expect(section).toContain(stated);
  }
});
