import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { at, expect, testWith } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';

/** Each test begins with an empty log. */
const test = testWith().extend('run', async ({ site }) => {
  await site.deps.db.deleteFrom('audit_log').execute();
  return async (...args: string[]) => (await curbside(site, ['log', ...args])).output;
});

test('lists what staff and commands did, by kind and month', async ({ site, run }) => {
  expect(await run()).toBe('No log entries match.\n');
  const [curator, id] = [await site.admin(), await site.employer()];
  const change = { bed_count: 12, reason: 'Counted.\nTwice.' };
  await site.as(curator).patch(employerEndpoints.curate, change, at(id));
  const day = site.time.now.toISOString().slice(0, 10);
  const line = `${day}  Root Example  employers.curate  employer ${id}  {"reason":"Counted.\\nTwice.","bed_count":12}\n`;
  for (const options of [[], ['--kind', 'employers'], ['--month', day.slice(0, 7)]]) {
    expect(await run(...options)).toBe(line);
  }
  expect(await run('--kind', 'staff')).not.toContain('employers.curate');
  expect(await run('--page', '2')).toBe('');
});

test('lists a hundred, and says how many more there are', async ({ site, run }) => {
  const act = { actor: 'cli', action: 'keys.rotate', subject: 'accounts' };
  const acts = Array.from({ length: 103 }, () => ({ ...act, happened_on: '2020-01-05' }));
  await site.deps.db.insertInto('audit_log').values(acts).execute();
  const first = (await run('--month', '2020-01')).trimEnd().split('\n');
  expect([first.length, first.at(-1)]).toEqual([101, 'and 3 more']);
  const second = await run('--month', '2020-01', '--page', '2');
  expect(second.trimEnd().split('\n')).toHaveLength(3);
});

test('rejects unknown kinds and months', async ({ site }) => {
  const errors = async (...args: string[]) => (await curbside(site, ['log', ...args])).errors;
  expect(await errors('--kind', 'gossip')).toContain('Unknown kind of action');
  expect(await errors('--month', 'May')).toContain('Month must look like 2026-01');
});
