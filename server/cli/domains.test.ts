import { expect, testWith } from '#server/testing/site.ts';
import { curbside, expectRefusal, type Run } from './testing/curbside.ts';

/** Each test begins without domains and log entries. */
const test = testWith().extend('run', async ({ site }) => {
  await site.deps.db.deleteFrom('institution_domains').execute();
  await site.deps.db.deleteFrom('audit_log').execute();
  return (...args: string[]) => curbside(site, ['domains', ...args]);
});

const add = (run: Run, domain: string, kind = 'employer') =>
  run('add', domain, '--kind', kind, '--name', 'Tarn Hospital');

test('lists, changes, shows, and removes domains, and logs it', async ({ site, run }) => {
  expect((await run('list')).output).toBe('No domains are listed.\n');
  expect((await add(run, 'Tarn-Hospital.ORG')).code).toBe(0);
  await add(run, 'tarn-hospital.org', 'residency');
  await add(run, 'med.lake.edu', 'school');
  expect((await run('list')).output.replaceAll(/ +/g, ' ')).toBe(
    'med.lake.edu school Tarn Hospital\ntarn-hospital.org residency Tarn Hospital\n',
  );
  expect((await run('remove', 'TARN-hospital.org')).output).toContain('no longer listed');
  await expectRefusal(run('remove', 'tarn-hospital.org'), 'tarn-hospital.org is not listed');
  const acts = await site.rows('audit_log', {}, ['action', 'subject']);
  const entries = acts.map(({ action, subject }) => `${action} ${subject}`).toSorted();
  expect(entries).toEqual([
    'domains.add med.lake.edu',
    'domains.add tarn-hospital.org',
    'domains.add tarn-hospital.org',
    'domains.remove tarn-hospital.org',
  ]);
});

test('stores an internationalized name as email addresses have it', async ({ run }) => {
  expect((await add(run, 'Universitätsklinik.example')).code).toBe(0);
  expect((await run('list')).output).toMatch(/^xn--universittsklinik-yqb\.example /);
  expect((await run('remove', 'universitätsklinik.example')).code).toBe(0);
});

test.for([
  ...['gmail.com', 'yahoo.co.uk', 'outlook.com', 'hotmail.fr', 'icloud.com', 'proton.me'],
  'aol.com',
  ...['comcast.net', 'mail.gmail.com', 'facebook.com', 'tarn.wordpress.com', 'tarn.github.io'],
  ...['com', 'org', 'co.uk', 'ny.us', 'github.io', 'example'],
  ...['', 'tarn', 'ada@tarn.org', 'https://tarn.org', 'tarn..org', '10.0.0.1', '[::1]', 'a b.org'],
])('rejects %j', async (domain, { run }) => {
  const refused = await add(run, domain);
  expect([refused.code, refused.output]).toEqual([1, '']);
  expect(refused.errors).toMatch(/^curbside: .+\n$/);
  expect((await run('list')).output).toBe('No domains are listed.\n');
});

test('a domain needs a kind and a name', async ({ run }) => {
  expect((await run('add', 'tarn.org', '--name', 'Tarn')).code).toBe(1);
  expect((await run('add', 'tarn.org', '--kind', 'employer')).code).toBe(1);
  expect((await add(run, 'tarn.org', 'hotel')).errors).toContain('Allowed choices');
});

test("imports bring in their websites' domains, unless many share one", async ({ site, run }) => {
  const imported = (name: string, website: string | null, fields: object = {}) =>
    site.employer({ source: 'hifld', name, website, ...fields });
  await imported('TARN HOSPITAL', 'https://www.tarn-hospital.org/about');
  await imported('LAKE HOSPITAL EAST', 'http://east.lake.org');
  // CMS has no websites: this one is from a second file.
  await imported('LAKE HOSPITAL WEST', 'lake.org/west', { source: 'cms' });
  await site.employer({ source: 'user', source_id: null, website: 'https://user-hospital.org' });
  await imported('MILL HOSPITAL', 'https://facebook.com/mill');
  await imported('FORD HOSPITAL', 'https://ford.github.io');
  await imported('GLEN HOSPITAL', 'not a website');
  await imported('HOLT HOSPITAL', null);
  await imported('OLD HOSPITAL', 'https://old-hospital.org', { hospital_status: 'Closed' });
  await site.employer({ website: 'https://demo-hospital.org' });
  for (let n = 0; n < 11; n += 1) await imported(`MEMBER ${n}`, `https://members.example.org/${n}`);
  await add(run, 'tarn-hospital.org', 'school');

  const output = (await run('from-employers')).output;
  expect(output.replaceAll(/ +/g, ' ').split('\n')).toEqual([
    'lake.org employer Lake Hospital East and 1 more',
    'example.org skipped: 11 employers share it',
    'facebook.com skipped: anyone can have an address there',
    'ford.github.io skipped: anyone can have an address there',
    '1 added, 3 left out',
    '',
  ]);
  // A domain that was listed manually is unchanged.
  expect((await run('list')).output).toMatch(/tarn-hospital\.org +school/);
  expect((await run('from-employers')).output).toContain('0 added');
});

test('an institution needs a name', async ({ run }) => {
  const result = await run('add', 'tarn.org', '--kind', 'school', '--name', ' ');
  expect(result).toMatchObject({ code: 1, errors: expect.stringContaining('must not be empty') });
});
