import { doctorDecisionEndpoints } from '#contract/endpoints/office.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { logOf, newDoctor, POSTER } from '#server/testing/factories.ts';
import { answering, PERSON } from '#server/testing/matched-doctor.ts';
import { at, expect, newSite, type Site, test as siteTest } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

const WAITING = { verification_status: 'needs_review' } as const;

const test = siteTest
  .extend('run', ({ site }) => {
    return (...args: string[]) => curbside(site, ['doctors', ...args]);
  })
  .extend('waiting', ({ site }) => newDoctor(site, { profile: WAITING }));

const RIGHTS = ['verified', 'can_post_reviews', 'verification_status'] as const;
const permissions = async (site: Site, id: string) =>
  (await site.rows('doctors', { user_id: id }, [...RIGHTS]))[0];

const NEITHER = { ...WAITING, verified: false, can_post_reviews: false };

const acts = (site: Site, id: string) => logOf(site, id, 'actor', 'action', 'happened_on');

async function mailTo({ jobs, mail }: Site, address: string) {
  await jobs.idle();
  return mail.filter(({ to }) => to === address).map(({ text }) => text);
}

test('verifies a doctor by NPI; posting is allowed separately', async ({ site, run, waiting }) => {
  const { id, email, npi } = waiting;
  expect(await run('verify', npi)).toEqual({
    code: 0,
    output: [
      'Dr. Ada Example is verified.',
      `Posting needs a separate permission: curbside doctors allow-posting ${npi}`,
      '',
    ].join('\n'),
    errors: '',
  });
  expect((await run('verify', npi)).output).toContain('Dr. Ada Example is already verified.\n');
  const passed = { verified: true, can_post_reviews: false, verification_status: 'passed' };
  expect(await permissions(site, id)).toEqual(passed);
  expect(await mailTo(site, email)).toEqual([]);
  const happened_on = site.time.now.toISOString().slice(0, 10);
  expect(await acts(site, id)).toEqual([{ actor: 'cli', action: 'doctor.verify', happened_on }]);
  await run('allow-posting', npi);
  expect(await mailTo(site, email)).toEqual([expect.stringContaining('You are verified')]);
});

test('grants each permission, by email or id', async ({ site, run, waiting: { id, email } }) => {
  const allowed = await run('allow-posting', email.toUpperCase());
  expect(allowed.output).toBe('Dr. Ada Example is allowed to post reviews.\n');
  expect(await permissions(site, id)).toEqual({ ...NEITHER, can_post_reviews: true });
  await run('verify', id);
  expect(await permissions(site, id)).toMatchObject({ verified: true, can_post_reviews: true });
  expect((await acts(site, id)).map(({ action }) => action)).toEqual([
    'doctor.allow-posting',
    'doctor.verify',
  ]);
});

test('a decision overrides a registry check that is still pending', async () => {
  const names = [{ first: 'ADA', last: 'EXAMPLE' }];
  const site = await newSite({ npiRegistry: answering({ ...PERSON, names }) });
  const { id } = await newDoctor(site);
  const verifier = site.as(await site.admin(['verifier']));
  const reason = 'Not a physician.';
  await verifier.post(doctorDecisionEndpoints.deny_posting, { reason }, at(id));
  const { db, jobs } = site.deps;
  await jobs.enqueue(db, 'verify-npi', { userId: id });
  await site.jobs.idle();
  expect(await permissions(site, id)).toEqual(NEITHER);
});

test('verifying a doctor twice at the same time sends one mail', async ({ site, run }) => {
  const profile = { ...WAITING, can_post_reviews: true };
  const { id, npi, email } = await newDoctor(site, { profile });
  await Promise.all([1, 2, 3].map(() => run('verify', npi)));
  expect(await mailTo(site, email)).toHaveLength(1);
  expect(await acts(site, id)).toHaveLength(1);
});

test('the list shows who is waiting and what the registry said', async () => {
  const site = await newSite();
  const run = (...args: string[]) => curbside(site, ['doctors', 'list', ...args]);
  expect((await run()).output).toBe('No doctor is waiting.\n');
  const yes = { known: true, active: true, individual: true };
  const evidence = { ...NO_EVIDENCE, checks: { ...yes, physician: false, name_matches: null } };
  const waiting = await newDoctor(site, { profile: WAITING, evidence });
  const verified = await newDoctor(site, { profile: POSTER });
  expect((await run()).output).toMatch(
    new RegExp(
      `^ACCOUNT .*\\n${waiting.id}  ${waiting.npi}  no +no +Ada Example: ` +
        'known yes, active yes, individual yes, physician no, name matches \\?\\n$',
    ),
  );
  const all = await run('--all');
  expect(all.output).toContain(verified.npi);
  expect(all.output.trim().split('\n')).toHaveLength(3);
});

test('reports unknown doctors and administrators; prints names safely', async ({ site, run }) => {
  const { email } = await site.admin();
  for (const who of [email, '1234567893', 'nobody@mail.example']) {
    const fault = `no doctor has the NPI, email address, or account id ${who}`;
    await expectRefusal(run('verify', who), fault);
  }
  await newDoctor(site, { first_name: '\u001b[2JAda' });
  expect((await run('list')).output).toContain('?[2JAda Example');
});

const ACTS = ['verify', 'allow-posting', 'ban'];
test.for(ACTS)('%s does not accept an empty reason', async (act, { site, run, waiting }) => {
  const result = await run(act, waiting.npi, '--reason', ' ');
  expect(result).toMatchObject({ code: 1, errors: expect.stringContaining('must not be empty') });
  expect(await acts(site, waiting.id)).toEqual([]);
});
