import { expect, test } from 'vitest';
import { sealedWith } from '#server/anonymity/seal.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { serverWithStoredSecrets } from '#server/cli/testing/stored-secrets.ts';
import { lastMail } from '#server/features/accounts/testing/account-flows.ts';
import { storedSecrets } from '#server/stored-secrets.ts';
import { matchedDoctor, PERSON, verification } from '#server/testing/matched-doctor.ts';
import { codeOn, newFolder, pagesOf } from './testing/printed-letters.ts';

async function siteOf() {
  const { server, dataDir } = await serverWithStoredSecrets();
  server.deps.npiRegistry.lookUp = async () => PERSON;
  return { server, dataDir, doctor: await matchedDoctor(server) };
}

test('reseals letters under the new key, including those on their way', async () => {
  const { server, dataDir, doctor } = await siteOf();
  const at = await newFolder();
  await verification(server, doctor, 'letter/', {});
  await curbside(server, ['letters', 'print', at('one.pdf')]);
  await verification(server, await matchedDoctor(server), 'letter/', {});

  expect((await curbside(server, ['keys', 'rotate'])).output).toBe(
    '2 accounts are sealed under the new key.\n',
  );
  const { sealing } = storedSecrets(dataDir);
  expect(sealing).toHaveLength(1);
  const rows = await server.deps.db.selectFrom('letters').select('sealed').execute();
  expect(rows.map(({ sealed }) => sealedWith(sealed))).toEqual([sealing[0]?.id, sealing[0]?.id]);

  expect(await curbside(server, ['letters', 'print', at('two.pdf')])).toMatchObject({ code: 0 });
  expect(await pagesOf(at('two.pdf'))).toHaveLength(1);
  const code = codeOn((await pagesOf(at('one.pdf')))[0]);
  expect((await verification(server, doctor, 'letter/confirm/', { code })).statusCode).toBe(200);
});

test('a key that seals a pending mailbox code is kept, and the code still works', async () => {
  const { server, dataDir, doctor } = await siteOf();
  const email = 'ada@wrenfield.example';
  await server.deps.db
    .insertInto('institution_domains')
    .values({ domain: 'wrenfield.example', kind: 'employer', name: 'Wrenfield' })
    .execute();
  await verification(server, doctor, 'mailbox/', { email });
  const code = (await lastMail(server, email)).text.match(/\b\d{6}\b/)?.[0];
  expect((await curbside(server, ['keys', 'rotate'])).output).toContain('Key k1 is still needed');
  expect(storedSecrets(dataDir).sealing).toHaveLength(2);
  expect((await verification(server, doctor, 'mailbox/confirm/', { code })).statusCode).toBe(200);
});
