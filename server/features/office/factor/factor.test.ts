import { expect, test } from 'vitest';
import { FACTOR_RECOVERY_CODES, FRESH_FACTOR_MS, OFFICE_PASS_MS } from '#contract/limits.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin, type TestAccount } from '#server/testing/factories.ts';
import { resealFactors } from '../service.ts';
import {
  codeOf,
  pass,
  passOf,
  postFactor,
  STEP_MS,
  setUpFactor,
} from '../testing/second-factor.ts';

const REQUIRED = { status: 403, code: 'factor_required' };
const WRONG = { status: 400, code: 'invalid_factor_code' };

const read = (
  { app }: TestApp,
  { headers }: Pick<TestAccount, 'headers'>,
  cookies: Record<string, string> = {},
) => app.inject({ url: '/api/admin/reports/', headers, cookies });

const enter = (server: TestApp, account: TestAccount, code: string) =>
  postFactor(server, account, 'enter/', { code });

test('without a factor, the office is open except in production', async () => {
  await using server = await buildTestApp();
  await using inProduction = await buildTestApp({ beside: server, config: { production: true } });
  const admin = await signedInAdmin(server);
  expect((await read(server, admin)).statusCode).toBe(200);
  expect((await read(inProduction, admin)).json()).toMatchObject({ code: 'factor_setup_required' });
  inProduction.time.now = server.time.now;
  const { cookies } = await setUpFactor(inProduction, admin);
  expect((await read(inProduction, admin, cookies)).statusCode).toBe(200);
});

test('a code opens the office for 12 hours in that session, even as its tokens are renewed', async () => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const { secret } = await setUpFactor(server, admin);
  pass(server, STEP_MS);
  const entered = await enter(server, admin, codeOf(secret, server.time.now));
  expect([entered.headers['set-cookie']].flat().join()).toMatch(
    /office_pass=[^,]*HttpOnly; SameSite=Strict/,
  );
  const cookies = passOf(entered);
  expect((await read(server, admin)).json()).toMatchObject(REQUIRED);
  expect((await read(server, admin, cookies)).statusCode).toBe(200);
  const renew = async () => {
    const { refresh } = admin;
    const renewed = await server.app.inject({
      method: 'POST',
      url: '/api/auth/token/refresh/',
      payload: { refresh },
    });
    const tokens = renewed.json();
    admin.refresh = tokens.refresh;
    admin.headers = { authorization: `Bearer ${tokens.access}` };
  };
  pass(server, OFFICE_PASS_MS - 1);
  await renew();
  expect((await read(server, admin, cookies)).statusCode).toBe(200);
  pass(server, 1);
  expect((await read(server, admin, cookies)).json()).toMatchObject(REQUIRED);
});

test('a pass is invalid in another session, for another account, or for another factor', async () => {
  await using server = await buildTestApp();
  const [admin, other] = [await signedInAdmin(server), await signedInAdmin(server)];
  const { cookies } = await setUpFactor(server, admin);
  await setUpFactor(server, other);
  expect((await read(server, other, cookies)).json()).toMatchObject(REQUIRED);
  const { access } = await beginSession(server.deps, server.deps.db, admin.userId);
  const elsewhere = { headers: { authorization: `Bearer ${access}` } };
  expect((await read(server, elsewhere, cookies)).json()).toMatchObject(REQUIRED);
  await setUpFactor(server, admin, cookies);
  expect((await read(server, admin, cookies)).json()).toMatchObject(REQUIRED);
});

test('sensitive actions require a code within the last 5 minutes', async () => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const { secret, cookies } = await setUpFactor(server, admin);
  const renew = (pass: Record<string, string>) =>
    postFactor(server, admin, 'recovery-codes/', {}, pass);
  pass(server, FRESH_FACTOR_MS - 1);
  expect((await renew(cookies)).statusCode).toBe(200);
  pass(server, 1);
  expect((await renew(cookies)).json()).toMatchObject(REQUIRED);
  expect((await read(server, admin, cookies)).statusCode).toBe(200);
  const entered = await enter(server, admin, codeOf(secret, server.time.now));
  expect((await renew(passOf(entered))).json().recovery_codes).toHaveLength(FACTOR_RECOVERY_CODES);
});

test('a code works once, even in two simultaneous requests, and invalidates earlier ones', async () => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const { secret } = await setUpFactor(server, admin);
  const { now } = server.time;
  expect((await enter(server, admin, codeOf(secret, now))).json()).toMatchObject(WRONG);
  pass(server, 2 * STEP_MS);
  const code = codeOf(secret, server.time.now);
  await using beside = await buildTestApp({ beside: server, config: server.deps.config });
  beside.time.now = server.time.now;
  const answers = await Promise.all(
    [server, beside, server, beside].map((one) => enter(one, admin, code)),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400]);
  expect((await enter(server, admin, codeOf(secret, now, 1))).json()).toMatchObject(WRONG);
});

test.each([
  [-2, 400],
  [-1, 200],
  [0, 200],
  [1, 200],
  [2, 400],
])('a phone that is %i steps off: %i', async (steps, status) => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const { secret } = await setUpFactor(server, admin);
  pass(server, 10 * STEP_MS);
  const answer = await enter(server, admin, codeOf(secret, server.time.now, steps));
  expect(answer.statusCode).toBe(status);
});

test('each recovery code works once, typed in any way, even in two simultaneous requests', async () => {
  await using server = await buildTestApp();
  await using beside = await buildTestApp({ beside: server, config: server.deps.config });
  const admin = await signedInAdmin(server);
  const { codes } = await setUpFactor(server, admin);
  beside.time.now = server.time.now;
  expect(new Set(codes).size).toBe(FACTOR_RECOVERY_CODES);
  const [first = '', second = ''] = codes;
  const answers = await Promise.all(
    [server, beside, server, beside].map((one) => enter(one, admin, first)),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400]);
  const typed = ` ${second.toLowerCase().replace('-', ' ')} `;
  expect((await enter(server, admin, typed)).statusCode).toBe(200);
  const { headers } = admin;
  const status = await server.app.inject({ url: '/api/admin/factor/', headers });
  expect(status.json()).toMatchObject({ is_set_up: true, recovery_codes_left: 8 });
});

test('two different recovery codes work at the same time', async () => {
  await using server = await buildTestApp();
  await using beside = await buildTestApp({ beside: server, config: server.deps.config });
  const admin = await signedInAdmin(server);
  const [first = '', second = ''] = (await setUpFactor(server, admin)).codes;
  beside.time.now = server.time.now;
  const answers = await Promise.all([enter(server, admin, first), enter(beside, admin, second)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test('setup requires a recent login or the password, and the correct code, and expires after 10 minutes', async () => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const begun = await postFactor(server, admin, 'setup/');
  const { setup, secret } = begun.json();
  expect(begun.json().uri).toContain(`secret=${secret}`);
  const wrong = codeOf(secret, server.time.now, 5);
  expect((await postFactor(server, admin, '', { setup, code: wrong })).json()).toMatchObject(WRONG);
  pass(server, 10 * 60_000);
  const code = codeOf(secret, server.time.now);
  expect((await postFactor(server, admin, '', { setup, code })).json()).toMatchObject(WRONG);
  expect((await postFactor(server, admin, 'setup/')).json()).toMatchObject({
    code: 'confirm_password',
  });
  const typed = await postFactor(server, admin, 'setup/', { password: 'Wrong-Password-1' });
  expect(typed.json()).toHaveProperty('errors.password');
});

test('removing the factor requires a fresh code; then no code is required', async () => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const { cookies } = await setUpFactor(server, admin);
  expect((await postFactor(server, admin, 'remove/')).json()).toMatchObject(REQUIRED);
  expect((await postFactor(server, admin, 'remove/', {}, cookies)).statusCode).toBe(200);
  expect((await read(server, admin)).statusCode).toBe(200);
});

test('rows all have the same length, and are resealed under a new key', async () => {
  await using server = await buildTestApp();
  const { deps } = server;
  const admin = await signedInAdmin(server);
  const { codes } = await setUpFactor(server, admin);
  const stored = async () =>
    (await deps.db.selectFrom('staff_factors').select('sealed').executeTakeFirstOrThrow()).sealed;
  const before = await stored();
  for (const code of codes) await enter(server, admin, code);
  expect((await stored()).length).toBe(before.length);
  const [old] = deps.config.secrets.sealing;
  if (!old) throw new Error('no key');
  const fresh = { id: 'k2', key: Buffer.alloc(32, 7) };
  deps.keys.replace({ ...deps.config.secrets, sealing: [fresh, old] });
  await resealFactors(deps);
  deps.keys.replace({ ...deps.config.secrets, sealing: [fresh] });
  expect((await read(server, admin)).json()).toMatchObject(REQUIRED);
});
