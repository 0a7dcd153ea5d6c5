import { factorEndpoints } from '#contract/endpoints/office.ts';
import { OFFICE_PASS_MS } from '#contract/limits.ts';
import { STAFF_MESSAGES } from '#contract/office/staff.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import * as factors from '../testing/second-factor.ts';

const { codeOf, newLogin, STEP_MS, setUpFactor, wrongCode } = factors;
const IN_SESSION = 10;
const A_DAY = 20;

const test = testWith({ config: { rateLimitFactor: 1 } })
  .extend('admin', ({ site }) => site.admin())
  .extend('factor', ({ site, admin }) => setUpFactor(site, admin))
  .extend('secret', ({ factor }) => factor.secret)
  .extend('codes', ({ factor }) => factor.codes);

const enter = (site: Site, session: Pick<TestAccount, 'headers'>, code: string, cookies = {}) =>
  site.as(session, { cookies }).post(factorEndpoints.enter, { code });

/** Guesses from one new login after another, until the account's attempts are used up. */
async function guessAll(site: Site, admin: TestAccount, secret: string): Promise<number> {
  let guesses = 0;
  for (;;) {
    const session = await newLogin(site, admin);
    for (let tries = 0; tries < IN_SESSION; tries += 1) {
      const code = wrongCode(secret, site.time.now);
      if ((await enter(site, session, code)).status === 429) return guesses;
      guesses += 1;
    }
  }
}

test('a session has 10 wrong codes a day', async ({ site, admin, codes, secret }) => {
  for (const code of codes.slice(1)) expect((await enter(site, admin, code)).status).toBe(200);
  for (let tries = 0; tries < IN_SESSION; tries += 1) {
    const wrong = await enter(site, admin, wrongCode(secret, site.time.now));
    expect(wrong.problem.code).toBe('invalid_factor_code');
  }
  site.pass(STEP_MS);
  const right = codeOf(secret, site.time.now);
  expect((await enter(site, admin, right)).problem.code).toBe('rate_limited');
  expect((await enter(site, await newLogin(site, admin), right)).status).toBe(200);
});

test('a thief has 20 guesses a day; the owner recovers', async ({ site, admin, factor }) => {
  const { codes, secret } = factor;
  site.pass(STEP_MS);
  expect(await guessAll(site, admin, secret)).toBe(A_DAY);
  const owner = await newLogin(site, admin);
  const refused = await enter(site, owner, codeOf(secret, site.time.now));
  const limited = { status: 429, code: 'rate_limited', detail: STAFF_MESSAGES.guessed };
  expect(refused.problem).toMatchObject(limited);
  expect((await enter(site, owner, codes[0] ?? '')).status).toBe(200);
});

test('guesses do not affect a session with a code', async ({ site, admin, secret, factor }) => {
  site.pass(STEP_MS);
  await guessAll(site, admin, secret);
  const entered = await enter(site, admin, codeOf(secret, site.time.now), factor.cookies);
  expect(entered.status).toBe(200);
  const [, maxAge] = /Max-Age=(\d+)/.exec(String(entered.headers['set-cookie'])) ?? [];
  expect(Number(maxAge)).toBeGreaterThan(OFFICE_PASS_MS / 1000);
});

test('recovery codes have attempts per session', async ({ site, admin, codes, secret }) => {
  const thief = await newLogin(site, admin);
  for (let tries = 0; tries < IN_SESSION; tries += 1) {
    expect((await enter(site, thief, 'ABCDE-ABCDE')).status).toBe(400);
  }
  expect((await enter(site, thief, codes[0] ?? '')).status).toBe(429);
  expect((await enter(site, thief, wrongCode(secret, site.time.now))).status).toBe(400);
  expect((await enter(site, admin, codes[0] ?? '')).status).toBe(200);
});

test('wrong codes are told to the owner', async ({ site, admin, factor }) => {
  const { codes, secret, cookies } = factor;
  const shown = async () => (await site.as(admin).get(factorEndpoints.status)).body.wrong_codes;
  expect(await shown()).toBeNull();
  await enter(site, await newLogin(site, admin), wrongCode(secret, site.time.now));
  await enter(site, await newLogin(site, admin), 'ABCDE-ABCDE');
  const told = { count: 2, last_on: site.time.now.toISOString().slice(0, 10) };
  expect(await shown()).toEqual(told);
  const entered = await enter(site, admin, codes[0] ?? '', cookies);
  expect(entered.body.wrong_codes).toEqual(told);
  expect(await shown()).toBeNull();
  const again = await enter(site, admin, codes[1] ?? '', entered.cookies);
  expect(again.body.wrong_codes).toBe(null);
});
