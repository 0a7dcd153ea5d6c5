import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { factorEndpoints } from '#contract/endpoints/office.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { FACTOR_RECOVERY_CODES, FRESH_FACTOR_MS, OFFICE_PASS_MS } from '#contract/limits.ts';
import { logOf } from '#server/testing/factories.ts';
import { expect, newSite, type Site, testWith } from '#server/testing/site.ts';
import * as secondFactor from '../testing/second-factor.ts';
import { factors } from './factor.ts';

const { codeOf, newLogin, STEP_MS, setUpFactor, wrongCode } = secondFactor;
const REQUIRED = { status: 403, code: 'factor_required' };
const WRONG = { status: 400, code: 'invalid_factor_code' };
const { begin, confirm, newRecoveryCodes, remove, status } = factorEndpoints;

type Account = Parameters<Site['as']>[0];
type Cookies = Readonly<Record<string, string>>;

const test = testWith()
  .extend('admin', ({ site }) => site.admin())
  /** Another server. */
  .extend('beside', ({ site }) => newSite({ beside: site, config: site.deps.config }));

const read = (site: Site, account: Account, cookies: Cookies = {}) =>
  site.as(account, { cookies }).get(moderationEndpoints.listReports);

const enter = (site: Site, account: Account, code: string) =>
  site.as(account).post(factorEndpoints.enter, { code });

test('without a factor, the office is open except in production', async ({ site, admin }) => {
  const inProduction = await newSite({ beside: site, config: { production: true } });
  expect((await read(site, admin)).status).toBe(200);
  expect((await read(inProduction, admin)).problem.code).toBe('factor_setup_required');
  inProduction.time.now = site.time.now;
  const { cookies } = await setUpFactor(inProduction, admin);
  expect((await read(inProduction, admin, cookies)).status).toBe(200);
});

test('a code opens the office for 12 hours, across renewed tokens', async ({ site, admin }) => {
  const { secret } = await setUpFactor(site, admin);
  site.pass(STEP_MS);
  const { cookies, headers } = await enter(site, admin, codeOf(secret, site.time.now));
  const set = [headers['set-cookie']].flat().join();
  expect(set).toMatch(/office_pass=[^,]*HttpOnly; SameSite=Strict/);
  expect((await read(site, admin)).problem).toMatchObject(REQUIRED);
  expect((await read(site, admin, cookies)).status).toBe(200);
  site.pass(OFFICE_PASS_MS - 1);
  const { refresh } = admin;
  const { access } = (await site.visitor().post(sessionEndpoints.refresh, { refresh })).body;
  const renewed = { headers: { authorization: `Bearer ${access}` } };
  expect((await read(site, renewed, cookies)).status).toBe(200);
  site.pass(1);
  expect((await read(site, renewed, cookies)).problem).toMatchObject(REQUIRED);
});

test('a pass is invalid for another session, account, or factor', async ({ site, admin }) => {
  const other = await site.admin();
  const { cookies } = await setUpFactor(site, admin);
  await setUpFactor(site, other);
  expect((await read(site, other, cookies)).problem).toMatchObject(REQUIRED);
  const elsewhere = await newLogin(site, admin);
  expect((await read(site, elsewhere, cookies)).problem).toMatchObject(REQUIRED);
  await setUpFactor(site, admin, cookies);
  expect((await read(site, admin, cookies)).problem).toMatchObject(REQUIRED);
});

test('sensitive actions require a code within the last 5 minutes', async ({ site, admin }) => {
  const { secret, cookies } = await setUpFactor(site, admin);
  const renew = (pass: Cookies) => site.as(admin, { cookies: pass }).post(newRecoveryCodes);
  site.pass(FRESH_FACTOR_MS - 1);
  expect((await renew(cookies)).status).toBe(200);
  site.pass(1);
  expect((await renew(cookies)).problem).toMatchObject(REQUIRED);
  expect((await read(site, admin, cookies)).status).toBe(200);
  const entered = await enter(site, admin, codeOf(secret, site.time.now));
  expect((await renew(entered.cookies)).body.recovery_codes).toHaveLength(FACTOR_RECOVERY_CODES);
});

test('a code works once, even simultaneously; old ones end', async ({ site, admin, beside }) => {
  const { secret } = await setUpFactor(site, admin);
  const { now } = site.time;
  expect((await enter(site, admin, codeOf(secret, now))).problem).toMatchObject(WRONG);
  site.pass(2 * STEP_MS);
  const code = codeOf(secret, site.time.now);
  beside.time.now = site.time.now;
  const servers = [site, beside, site, beside];
  const answers = await Promise.all(servers.map((one) => enter(one, admin, code)));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400, 400, 400]);
  expect((await enter(site, admin, codeOf(secret, now, 1))).problem).toMatchObject(WRONG);
});

test.for([-2, -1, 0, 1, 2])('a phone that is %i steps off', async (steps, { site, admin }) => {
  const { secret } = await setUpFactor(site, admin);
  site.pass(10 * STEP_MS);
  const answer = await enter(site, admin, codeOf(secret, site.time.now, steps));
  expect(answer.status).toBe(Math.abs(steps) <= 1 ? 200 : 400);
});

test('a recovery code, in any spelling, works exactly once', async ({ site, admin, beside }) => {
  const { codes } = await setUpFactor(site, admin);
  beside.time.now = site.time.now;
  expect(new Set(codes).size).toBe(FACTOR_RECOVERY_CODES);
  const [first = '', second = ''] = codes;
  const servers = [site, beside, site, beside];
  const answers = await Promise.all(servers.map((one) => enter(one, admin, first)));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400, 400, 400]);
  const typed = ` ${second.toLowerCase().replace('-', ' ')} `;
  expect((await enter(site, admin, typed)).status).toBe(200);
  const { body } = await site.as(admin).get(status);
  expect(body).toMatchObject({ is_set_up: true, recovery_codes_left: 8 });
});

test('two different recovery codes work at the same time', async ({ site, admin, beside }) => {
  const [first = '', second = ''] = (await setUpFactor(site, admin)).codes;
  beside.time.now = site.time.now;
  const answers = await Promise.all([enter(site, admin, first), enter(beside, admin, second)]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
});

test('setup needs a fresh login, the code, and less than 10 minutes', async ({ site, admin }) => {
  const client = site.as(admin);
  const { setup, secret, uri } = (await client.post(begin, {})).body;
  expect(uri).toContain(`secret=${secret}`);
  const wrong = { setup, code: wrongCode(secret, site.time.now) };
  expect((await client.post(confirm, wrong)).problem).toMatchObject(WRONG);
  site.pass(10 * 60_000);
  const code = codeOf(secret, site.time.now);
  expect((await client.post(confirm, { setup, code })).problem).toMatchObject(WRONG);
  expect((await client.post(begin, {})).problem).toMatchObject({ code: 'confirm_password' });
  const typed = await client.post(begin, { password: 'Wrong-Password-1' });
  expect(typed.problem).toHaveProperty('errors.password');
});

test('removing the factor needs a fresh code; then none is required', async ({ site, admin }) => {
  const { cookies } = await setUpFactor(site, admin);
  expect((await site.as(admin).post(remove)).problem).toMatchObject(REQUIRED);
  expect((await site.as(admin, { cookies }).post(remove)).status).toBe(200);
  expect((await read(site, admin)).status).toBe(200);
  // Removing what is not there is not logged.
  expect((await site.as(admin).post(remove)).status).toBe(200);
  const acts = (await logOf(site, admin.userId, 'action')).map(({ action }) => action);
  expect(acts.filter((action) => action === 'factor.remove')).toHaveLength(1);
});

test('rows all have the same length, and are resealed under a new key', async () => {
  const site = await newSite();
  const admin = await site.admin();
  const { keys, db, config } = site.deps;
  const { secrets } = config;
  const { codes } = await setUpFactor(site, admin);
  const row = db.selectFrom('staff_factors').select('sealed');
  const stored = async () => (await row.executeTakeFirstOrThrow()).sealed;
  const before = await stored();
  for (const code of codes) await enter(site, admin, code);
  expect((await stored()).length).toBe(before.length);
  const [old] = secrets.sealing;
  if (!old) throw new Error('no key');
  const fresh = { id: 'k2', key: Buffer.alloc(32, 7) };
  keys.replace({ ...secrets, sealing: [fresh, old] });
  await factors.reseal(site.deps);
  keys.replace({ ...secrets, sealing: [fresh] });
  expect((await read(site, admin)).problem).toMatchObject(REQUIRED);
});
