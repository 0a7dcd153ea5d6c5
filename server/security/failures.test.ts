import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { signedInDoctor } from '#server/testing/factories.ts';

test('an unexpected error gets a general response, and a log entry without its values', async () => {
  const lines: string[] = [];
  await using server = await buildTestApp({
    config: { logLevel: 'info' },
    logTo: (line) => lines.push(line),
  });
  await sql`alter table employers rename to employers_gone`.execute(server.deps.db);
  const answer = await server.app.inject('/api/employers/?state=TX');
  expect(answer.statusCode).toBe(500);
  const { request_id, ...problem } = answer.json();
  expect(problem).toEqual({
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
  await using server = await buildTestApp();
  const { headers } = await signedInDoctor(server);
  const ask = () => server.app.inject({ url: '/api/auth/user/', headers });
  expect((await ask()).statusCode).toBe(200);
  await sql`alter table sessions rename to sessions_gone`.execute(server.deps.db);
  expect((await ask()).statusCode).toBe(500);
});

test('requests are rejected when a limit cannot be counted', async () => {
  await using server = await buildTestApp();
  await sql`alter table rate_limits rename to rate_limits_gone`.execute(server.deps.db);
  const payload = { email: 'nobody@mail.example', password: 'Guess-1234' };
  const answer = await server.app.inject({ method: 'POST', url: '/api/auth/login/', payload });
  expect(answer.statusCode).toBe(500);
});
