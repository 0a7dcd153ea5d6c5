import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';

const ask = async ({ app }: Awaited<ReturnType<typeof buildTestApp>>, domain: string) =>
  app.inject({ url: '/api/employers/mail_domain/', query: { domain } });

test('a domain belongs to an employer if its website has the same registrable domain', async () => {
  await using server = await buildTestApp();
  await newEmployer(server, { website: 'https://www.tarn-hospital.org/about?x=1' });
  await newEmployer(server, { website: 'http://care.penhallow.ny.us' });
  await newEmployer(server, { website: null });
  const isEmployer = async (domain: string) => (await ask(server, domain)).json().is_employer;

  expect(await isEmployer('tarn-hospital.org')).toBe(true);
  expect(await isEmployer('mail.TARN-hospital.org')).toBe(true);
  expect(await isEmployer('not-tarn-hospital.org')).toBe(false);
  expect(await isEmployer('tarn-hospital.com')).toBe(false);
  // "ny.us" is a public suffix, so other names under it belong to others.
  expect(await isEmployer('penhallow.ny.us')).toBe(true);
  expect(await isEmployer('someone-else.ny.us')).toBe(false);
  expect(await isEmployer('gmail.com')).toBe(false);
});

test('a new employer counts in the next response', async () => {
  await using server = await buildTestApp();
  expect((await ask(server, 'late.example')).json()).toEqual({ is_employer: false });
  await newEmployer(server, { website: 'https://late.example' });
  await expect
    .poll(async () => (await ask(server, 'late.example')).json())
    .toEqual({ is_employer: true });
});

test.each(['', 'a', 'dr@tarn.org', 'tarn..org', '-', `${'a'.repeat(64)}.org`, 'a.'.repeat(40)])(
  '%j is not a domain',
  async (domain) => {
    await using server = await buildTestApp();
    const answer = await ask(server, domain);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([400, ['domain']]);
  },
);
