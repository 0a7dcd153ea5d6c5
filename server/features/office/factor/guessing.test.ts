import { expect, test } from 'vitest';
import { OFFICE_PASS_MS } from '#contract/limits.ts';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInAdmin, type TestAccount } from '#server/testing/factories.ts';
import {
  codeOf,
  pass,
  passOf,
  postFactor,
  STEP_MS,
  setUpFactor,
} from '../testing/second-factor.ts';

type Session = Pick<TestAccount, 'headers'>;

const LIMITS = { config: { rateLimitFactor: 1 } };
const IN_SESSION = 10;
const A_DAY = 20;

/** A login by someone who knows the password. */
async function loginOf({ deps }: TestApp, { userId }: TestAccount): Promise<Session> {
  const { access } = await beginSession(deps, deps.db, userId);
  return { headers: { authorization: `Bearer ${access}` } };
}

const enter = (server: TestApp, session: Session, code: string, cookies = {}) =>
  postFactor(server, session, 'enter/', { code }, cookies);

/** Never correct: steps close to the current one have other codes. */
const wrongCode = (secret: string, now: Date) => codeOf(secret, now, 1000);

/** Guesses from one new login after another, until the account's attempts are used up. */
async function guessAll(server: TestApp, admin: TestAccount, secret: string): Promise<number> {
  let guesses = 0;
  for (;;) {
    const session = await loginOf(server, admin);
    for (let tries = 0; tries < IN_SESSION; tries += 1) {
      const code = wrongCode(secret, server.time.now);
      if ((await enter(server, session, code)).statusCode === 429) return guesses;
      guesses += 1;
    }
  }
}

test('a session has 10 wrong codes a day; correct ones do not count, and other sessions are unaffected', async () => {
  await using server = await buildTestApp(LIMITS);
  const admin = await signedInAdmin(server);
  const { codes, secret } = await setUpFactor(server, admin);
  for (const code of codes.slice(1)) {
    expect((await enter(server, admin, code)).statusCode).toBe(200);
  }
  for (let tries = 0; tries < IN_SESSION; tries += 1) {
    const wrong = await enter(server, admin, wrongCode(secret, server.time.now));
    expect(wrong.json().code).toBe('invalid_factor_code');
  }
  pass(server, STEP_MS);
  const right = codeOf(secret, server.time.now);
  expect((await enter(server, admin, right)).json().code).toBe('rate_limited');
  expect((await enter(server, await loginOf(server, admin), right)).statusCode).toBe(200);
});

test('someone with the password gets 20 guesses a day in total, and the owner gets in with a recovery code', async () => {
  await using server = await buildTestApp(LIMITS);
  const admin = await signedInAdmin(server);
  const { codes, secret } = await setUpFactor(server, admin);
  pass(server, STEP_MS);
  expect(await guessAll(server, admin, secret)).toBe(A_DAY);
  const owner = await loginOf(server, admin);
  const refused = await enter(server, owner, codeOf(secret, server.time.now));
  expect(refused.json()).toMatchObject({
    status: 429,
    code: 'rate_limited',
    detail: STAFF_MESSAGES.guessed,
  });
  expect((await enter(server, owner, codes[0] ?? '')).statusCode).toBe(200);
});

test('a session that has entered a correct code is unaffected by other guesses', async () => {
  await using server = await buildTestApp(LIMITS);
  const admin = await signedInAdmin(server);
  const { cookies, secret } = await setUpFactor(server, admin);
  pass(server, STEP_MS);
  await guessAll(server, admin, secret);
  const entered = await enter(server, admin, codeOf(secret, server.time.now), cookies);
  expect(entered.statusCode).toBe(200);
  expect(Number(entered.cookies[0]?.maxAge)).toBeGreaterThan(OFFICE_PASS_MS / 1000);
});

test('recovery codes have separate attempts for each session', async () => {
  await using server = await buildTestApp(LIMITS);
  const admin = await signedInAdmin(server);
  const { codes, secret } = await setUpFactor(server, admin);
  const thief = await loginOf(server, admin);
  for (let tries = 0; tries < IN_SESSION; tries += 1) {
    expect((await enter(server, thief, 'ABCDE-ABCDE')).statusCode).toBe(400);
  }
  expect((await enter(server, thief, codes[0] ?? '')).statusCode).toBe(429);
  expect((await enter(server, thief, wrongCode(secret, server.time.now))).statusCode).toBe(400);
  expect((await enter(server, admin, codes[0] ?? '')).statusCode).toBe(200);
});

test('wrong codes are shown to the owner, on the page and with the next correct code', async () => {
  await using server = await buildTestApp();
  const admin = await signedInAdmin(server);
  const { codes, secret, cookies } = await setUpFactor(server, admin);
  const shown = async () =>
    (await server.app.inject({ url: '/api/admin/factor/', headers: admin.headers })).json()
      .wrong_codes;
  expect(await shown()).toBeNull();
  await enter(server, await loginOf(server, admin), wrongCode(secret, server.time.now));
  await enter(server, await loginOf(server, admin), 'ABCDE-ABCDE');
  const told = { count: 2, last_on: server.time.now.toISOString().slice(0, 10) };
  expect(await shown()).toEqual(told);
  const entered = await enter(server, admin, codes[0] ?? '', cookies);
  expect(entered.json().wrong_codes).toEqual(told);
  expect(await shown()).toBeNull();
  expect((await enter(server, admin, codes[1] ?? '', passOf(entered))).json().wrong_codes).toBe(
    null,
  );
});
