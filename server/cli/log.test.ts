import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, signedInAdmin } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

let server: TestApp;
beforeAll(async () => {
  server = await buildTestApp();
});
afterAll(() => server[Symbol.asyncDispose]());

const run = (...args: string[]) => curbside(server, args);

test('lists what staff and commands did, by kind and month', async () => {
  expect((await run('log')).output).toBe('No log entries match.\n');
  const id = await newEmployer(server);
  const { headers } = await signedInAdmin(server);
  const payload = { bed_count: 12, reason: 'Counted.\nTwice.' };
  const url = `/api/admin/employers/${id}/`;
  await server.app.inject({ method: 'PATCH', url, headers, payload });
  const day = server.time.now.toISOString().slice(0, 10);
  const line = `${day}  Root Example  employers.curate  employer ${id}  {"reason":"Counted.\\nTwice.","bed_count":12}\n`;
  for (const options of [[], ['--kind', 'employers'], ['--month', day.slice(0, 7)]]) {
    expect((await run('log', ...options)).output).toBe(line);
  }
  expect((await run('log', '--kind', 'staff')).output).not.toContain('employers.curate');
  expect((await run('log', '--page', '2')).output).toBe('');
});

test('lists a hundred, and says how many more there are', async () => {
  const act = { actor: 'cli', action: 'keys.rotate', subject: 'accounts' };
  const acts = Array.from({ length: 103 }, () => ({ ...act, happened_on: '2020-01-05' }));
  await server.deps.db.insertInto('audit_log').values(acts).execute();
  const first = (await run('log', '--month', '2020-01')).output.trimEnd().split('\n');
  expect([first.length, first.at(-1)]).toEqual([101, 'and 3 more']);
  const second = (await run('log', '--month', '2020-01', '--page', '2')).output;
  expect(second.trimEnd().split('\n')).toHaveLength(3);
});

test('rejects unknown kinds and months', async () => {
  expect((await run('log', '--kind', 'gossip')).errors).toContain('Unknown kind of action');
  expect((await run('log', '--month', 'May')).errors).toContain('Month must look like 2026-01');
});
