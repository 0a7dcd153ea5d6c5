import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { expect, type Site, test } from '#server/testing/site.ts';

const ask = (site: Site, domain: string) =>
  site.visitor().get(employerEndpoints.mailDomain, { query: { domain } });

test("a domain is an employer's if its website shares the registrable domain", async ({ site }) => {
  await site.employer({ website: 'https://www.quorl-hospital.org/about?x=1' });
  await site.employer({ website: 'http://care.quorl.ny.us' });
  await site.employer({ website: null });
  const isEmployer = async (domain: string) => (await ask(site, domain)).body.is_employer;

  expect(await isEmployer('quorl-hospital.org')).toBe(true);
  expect(await isEmployer('mail.QUORL-hospital.org')).toBe(true);
  expect(await isEmployer('not-quorl-hospital.org')).toBe(false);
  expect(await isEmployer('quorl-hospital.com')).toBe(false);
  // "ny.us" is a public suffix, so other names under it belong to others.
  expect(await isEmployer('quorl.ny.us')).toBe(true);
  expect(await isEmployer('else-quorl.ny.us')).toBe(false);
  expect(await isEmployer('gmail.com')).toBe(false);
});

test('a new employer counts in the next response', async ({ site }) => {
  expect((await ask(site, 'late-quorl.example')).body).toEqual({ is_employer: false });
  await site.employer({ website: 'https://late-quorl.example' });
  await expect
    .poll(async () => (await ask(site, 'late-quorl.example')).body)
    .toEqual({ is_employer: true });
});

const NONE = ['', 'a', 'dr@tarn.org', 'tarn..org', '-', `${'a'.repeat(64)}.org`, 'a.'.repeat(40)];
test.for(NONE)('%j is not a domain', async (domain, { site }) => {
  const { problem } = await ask(site, domain);
  expect([problem.status, Object.keys(problem.errors ?? {})]).toEqual([400, ['domain']]);
});
