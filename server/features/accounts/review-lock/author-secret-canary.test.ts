import { expect, test, vi } from 'vitest';
import { newRecoveryCode, readRecoveryCode } from '#contract/recovery-code.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf } from '#server/testing/factories.ts';
import { readAccessToken } from '../session/tokens.ts';
import { bearer, linkFor, logIn, NEW_PASSWORD, PASSWORD, send } from '../testing/account-flows.ts';
import { newPoster } from '../testing/locked-account.ts';
import { findTraces, readEverything } from '../testing/traces.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A secret in every form in which it might be stored. */
const formsOf = (secret: Buffer) => [
  secret.toString('latin1'),
  secret.toString('hex'),
  secret.toString('base64'),
  secret.toString('base64url'),
  // As in JSON, and as in a log.
  [...secret].join(','),
  [...secret].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
];

/** Every flow of a locked account. Returns its secrets and recovery codes. */
async function live(server: TestApp, look: () => Promise<void>) {
  const secrets = new Map<string, Buffer>();
  const codes = Array.from({ length: 4 }, newRecoveryCode);
  const [first = '', replaced = '', wrong = '', last = ''] = codes;
  const { email, access } = await newPoster(server);
  let headers = bearer(access);
  const post = async (path: string, payload: object) => {
    const answer = await send(server, path, payload, { headers });
    await look();
    await server.jobs.idle();
    await look();
    const next = answer.json();
    if (next.access) await hold(next);
    return { ...next, status: answer.statusCode };
  };
  const hold = async (tokens: { access: string; refresh: string }) => {
    headers = bearer(tokens.access);
    const claims = await readAccessToken(server.deps, tokens.access);
    const secret = claims?.authorSecret;
    if (secret) secrets.set(secret.toString('hex'), secret);
    return tokens;
  };
  const lock = (password: string, recovery_code: string) =>
    post('/auth/reviews/lock/', { password, recovery_code });
  const write = async (fields = {}) =>
    post('/reviews/', reviewOf(await newEmployer(server), fields));

  const { id } = await write();
  const locked = await lock(PASSWORD, first);
  await lock(PASSWORD, replaced.toLowerCase());
  await write();
  await write({ publish: 'later' });
  await post('/reviews/not-an-id/report/', { reason: first, note: replaced });
  await post(`/reviews/${id}/report/`, { reason: 'other' });
  await send(server, '/auth/token/refresh/', { refresh: locked.refresh });
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await post('/auth/password/change/', change)).status).toBe(200);

  headers = bearer('');
  await post('/auth/password/reset/', { email });
  const reset = { ...(await linkFor(server, email, '/password-reset')), new_password: PASSWORD };
  const confirm = (recovery_code: string) =>
    post('/auth/password/reset/confirm/', { ...reset, recovery_code });
  expect((await confirm(wrong)).status).toBe(400);
  expect((await confirm(readRecoveryCode(replaced))).status).toBe(200);
  await hold((await logIn(server, email, PASSWORD)).json());
  await look();
  await write();
  expect(secrets.size).toBe(1);
  expect((await post('/auth/reviews/unlock/', { password: PASSWORD })).status).toBe(200);
  expect((await lock(PASSWORD, last)).status).toBe(200);
  return { secrets: [...secrets.values()], codes };
}

test('no author secret or recovery code appears in the database, a job, a log, or a mail', async () => {
  const lines: string[] = [];
  await using server = await buildTestApp({
    config: { logLevel: 'trace' },
    logTo: (line) => lines.push(line),
  });
  const { pool } = server.deps.database;
  const seen: string[] = [];
  const look = async () => {
    seen.push(...(await readEverything(pool)));
  };
  const { secrets, codes } = await live(server, look);
  expect([secrets.length, codes.length]).toEqual([2, 4]);
  const markers = [...secrets.flatMap(formsOf), ...codes, ...codes.map(readRecoveryCode)];
  const mails = server.mail.map((message) => JSON.stringify(message));
  for (const texts of [seen, lines, mails]) {
    expect(texts.length).toBeGreaterThan(1);
    expect(findTraces(texts, markers)).toEqual([]);
  }

  // The same search finds a secret that is stored unwrapped.
  const [secret = Buffer.alloc(0)] = secrets;
  const unwrapped = Buffer.concat([Buffer.alloc(28), secret]);
  await pool.query('update users set author_secret = $1', [unwrapped]);
  expect(findTraces(await readEverything(pool), markers)).not.toEqual([]);
});
