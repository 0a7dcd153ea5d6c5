import { expect, test } from 'vitest';
import { sealedWith } from '#server/anonymity/seal.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { serverWithStoredSecrets } from '#server/cli/testing/stored-secrets.ts';
import { storedSecrets } from '#server/config/stored-secrets.ts';
import { codeFor } from '#server/features/accounts/testing/account-flows.ts';
import { matchedDoctor, PERSON } from '#server/testing/matched-doctor.ts';
import { codeOn, newFiles, pagesOf } from './testing/printed-letters.ts';

async function siteWithStoredSecrets() {
  const { server: site, dataDir } = await serverWithStoredSecrets();
  site.deps.npiRegistry.lookUp = async () => PERSON;
  return { site, dataDir, doctor: await matchedDoctor(site) };
}

test('reseals letters under the new key, including those on their way', async () => {
  const { site, dataDir, doctor } = await siteWithStoredSecrets();
  const at = newFiles();
  await doctor.orderLetter();
  await curbside(site, ['letters', 'print', at('one.pdf')]);
  await (await matchedDoctor(site)).orderLetter();

  const { output } = await curbside(site, ['keys', 'rotate']);
  expect(output).toBe('2 accounts are sealed under the new key.\n');
  const { sealing } = storedSecrets(dataDir);
  expect(sealing).toHaveLength(1);
  const rows = await site.rows('letters', {}, ['sealed']);
  expect(rows.map(({ sealed }) => sealedWith(sealed))).toEqual([sealing[0]?.id, sealing[0]?.id]);

  expect(await curbside(site, ['letters', 'print', at('two.pdf')])).toMatchObject({ code: 0 });
  expect(await pagesOf(at('two.pdf'))).toHaveLength(1);
  const code = codeOn((await pagesOf(at('one.pdf')))[0]);
  expect((await doctor.enterLetterCode(code)).status).toBe(200);
});

test('a key that seals a pending mailbox code is kept, and the code still works', async () => {
  const { site, dataDir, doctor } = await siteWithStoredSecrets();
  const email = 'ada@wrenfield.example';
  const domain = { domain: 'wrenfield.example', kind: 'employer', name: 'Wrenfield' };
  await site.deps.db.insertInto('institution_domains').values(domain).execute();
  await doctor.askForMailboxCode(email);
  const code = await codeFor(site, email);
  expect((await curbside(site, ['keys', 'rotate'])).output).toContain('Key k1 is still needed');
  expect(storedSecrets(dataDir).sealing).toHaveLength(2);
  expect((await doctor.enterMailboxCode(code)).status).toBe(200);
});
