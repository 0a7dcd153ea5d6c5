import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { ERRORS } from '#contract/errors.ts';
import { newSite } from '#server/testing/site.ts';

test('an unexpected error gets a general response, and a log entry without its values', async () => {
  const lines: string[] = [];
  const site = await newSite({
    config: { logLevel: 'info' },
    logTo: (line) => lines.push(line),
  });
  await sql`alter table employers rename to employers_gone`.execute(site.deps.db);
  const { problem } = await site.visitor().get(employerEndpoints.list, { query: { state: 'TX' } });
  const { request_id, ...rest } = problem;
  expect(rest).toEqual({
    type: 'about:blank',
    title: ERRORS.server_error.text,
    status: 500,
    code: 'server_error',
    detail: ERRORS.server_error.text,
    message: ERRORS.server_error.text,
  });
  const faults = lines.map((line) => JSON.parse(line)).filter(({ err }) => err);
  expect(faults).toEqual([
    expect.objectContaining({
      reqId: request_id,
      err: expect.objectContaining({ message: '[not logged]', code: '42P01' }),
    }),
  ]);
  expect(faults[0].err.stack).toContain('server/');
});

test('nobody has access when access cannot be looked up', async () => {
  const site = await newSite();
  const doctor = site.as(await site.doctor());
  const ask = async () => (await doctor.get(sessionEndpoints.user)).status;
  expect(await ask()).toBe(200);
  await sql`alter table sessions rename to sessions_gone`.execute(site.deps.db);
  expect(await ask()).toBe(500);
});

test('requests are rejected when a limit cannot be counted', async () => {
  const site = await newSite();
  await sql`alter table rate_limits rename to rate_limits_gone`.execute(site.deps.db);
  const guess = { email: 'nobody@mail.example', password: 'Guess-1234' };
  expect((await site.visitor().post(sessionEndpoints.login, guess)).status).toBe(500);
});
