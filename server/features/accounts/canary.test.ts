import type { Endpoint } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { hurry } from '#server/testing/jobs.ts';
import { PERSON } from '#server/testing/matched-doctor.ts';
import { expect, invalid, newSite, type Reply, type Site, test } from '#server/testing/site.ts';
import { addMember, codeFor, deviceOf, linkFor, wrongCode } from './testing/account-flows.ts';
import { findTraces, readable, readEverything } from './testing/traces.ts';

const EMAIL = 'canary.old@warbler-clinic.example';
const NEW_EMAIL = 'canary.new@bunting-clinic.example';
const FROM = '198.51.100.77';
const DETAILS = {
  email: EMAIL,
  first_name: 'Canaryfirst',
  last_name: "O'Canarylast",
  npi: '1987654328',
  password: 'Canary-password-1',
};
const PASSWORDS = ['Canary-password-1', 'Canary-password-2', 'Canary-password-3'] as const;
const MARKERS = [
  ...Object.values(DETAILS),
  ...PASSWORDS,
  NEW_EMAIL,
  'warbler-clinic',
  'bunting-clinic',
  FROM,
];

/** Fails once, with an error message that contains values. */
function flakyRegistry() {
  let asked = 0;
  return {
    async lookUp(npi: string) {
      asked += 1;
      if (asked === 1) throw new RegistryUnavailable(`no answer about ${npi}`);
      return { ...PERSON, names: [{ first: DETAILS.first_name, last: DETAILS.last_name }] };
    },
  };
}

/** Every account flow, including rejections. Returns the secrets that occurred in it. */
async function live(site: Site, look: () => Promise<void>): Promise<string[]> {
  const visitor = site.visitor({ from: FROM });
  const looking = async <E extends Endpoint>(reply: Promise<Reply<E>>) => {
    const { body } = await reply;
    await look();
    return body;
  };
  const refused = async (reply: Promise<Pick<Reply<Endpoint>, 'status'>>) => {
    expect((await reply).status).toBeGreaterThanOrEqual(400);
    await look();
  };
  const logIn = async (email: string, password: string) =>
    deviceOf(await looking(visitor.post(sessionEndpoints.login, { email, password })));

  const { register } = sessionEndpoints;
  await looking(visitor.post(register, { action: 'create_account', ...DETAILS }));
  const otp_code = await codeFor(site, EMAIL);
  const verify = { action: 'verify_otp', ...DETAILS, otp_code } as const;
  await refused(visitor.post(register, { ...verify, otp_code: wrongCode(otp_code) }));
  await refused(visitor.post(register, invalid({ ...verify, extra: EMAIL })));
  const joined = await looking(visitor.post(register, verify));
  if (!('access' in joined)) throw new Error(joined.message);
  const first = deviceOf(joined);
  await site.jobs.idle();
  await hurry(site.deps.database.pool);
  await site.jobs.idle();
  const { verification } = (await site.as(first).get(sessionEndpoints.doctor)).body;
  expect(Object.values(verification.checks ?? {})).toEqual([true, true, true, true, true]);

  await refused(visitor.post(sessionEndpoints.login, { email: EMAIL, password: PASSWORDS[2] }));
  const login = await logIn(EMAIL, PASSWORDS[0]);
  const { refresh } = login;
  const refreshed = await looking(visitor.post(sessionEndpoints.refresh, { refresh }));

  await looking(visitor.post(accountEndpoints.requestPasswordReset, { email: EMAIL }));
  const reset = await linkFor(site, EMAIL, '/password-reset');
  await visitor.get(accountEndpoints.checkResetLink, { query: reset });
  const chosen = { ...reset, new_password: PASSWORDS[1] };
  await looking(visitor.post(accountEndpoints.resetPassword, chosen));
  const again = await logIn(EMAIL, PASSWORDS[1]);
  const caller = site.as(again, { from: FROM });
  const change = { current_password: PASSWORDS[1], new_password: PASSWORDS[2] };
  await looking(caller.post(accountEndpoints.changePassword, change));

  const patch = { email: NEW_EMAIL, first_name: DETAILS.first_name };
  const params = { id: first.user.id };
  await looking(caller.patch(accountEndpoints.update, patch, { params }));
  const confirm = await linkFor(site, NEW_EMAIL, '/confirm-email');
  const stop = await linkFor(site, EMAIL, '/stop-email-change');
  await looking(visitor.post(accountEndpoints.confirmEmail, confirm));
  await caller.get(accountEndpoints.export);
  await looking(visitor.post(accountEndpoints.stopEmailChange, stop));

  await site.app.inject({ url: `/api/nowhere/${EMAIL}?npi=${DETAILS.npi}` });
  const headers = { 'content-type': 'application/json' };
  const payload = `{"email":"${EMAIL}", "password":"${PASSWORDS[0]}`;
  await site.app.inject({ method: 'POST', url: '/api/auth/login/', headers, payload });
  await looking(visitor.post(sessionEndpoints.logout, { refresh: again.refresh }));
  const sessions = [first, login, refreshed, again];
  const tokens = sessions.flatMap(({ access, refresh: token }) => [access, token]);
  return [otp_code, ...tokens, reset.token, confirm.token, stop.token];
}

test('no account flow leaves readable traces in the database or the log', {
  timeout: 120_000,
}, async () => {
  const lines: string[] = [];
  // A code may by chance equal the number of the process.
  const logTo = (line: string) => void lines.push(line.replace(`"pid":${process.pid},`, ''));
  const config = { logLevel: 'trace' } as const;
  const site = await newSite({ config, logTo, npiRegistry: flakyRegistry() });
  const { pool } = site.deps.database;
  const before = await readEverything(pool);
  const seen: string[] = [];
  const look = async () => void seen.push(...(await readEverything(pool)));
  const secrets = await live(site, look);
  await site.jobs.idle();
  await look();

  const markers = [...MARKERS, ...secrets];
  expect(secrets).toHaveLength(12);
  // The random code may be a number of the job queue.
  expect(findTraces(seen, markers)).toEqual(findTraces(before, markers));
  expect(findTraces(lines, markers)).toEqual([]);
  expect(lines.length).toBeGreaterThan(20);
  const jobs = await pool.query("select from pgboss.job where name not like '\\_\\_pgboss%'");
  expect(jobs.rowCount).toBe(0);

  // The same search finds values that are in the database.
  const users = await site.rows('users', {}, ['id']);
  expect(findTraces(seen, [users[0]?.id ?? ''])).not.toEqual([]);
  expect(findTraces(lines, ['/api/auth/login'])).not.toEqual([]);
});

test('a row of users is unreadable without the keys', async ({ site }) => {
  const { id } = await addMember(site, DETAILS);
  const rowsOf = async (query: string) =>
    (await site.deps.database.pool.query(`${query} = $1`, [id])).rows;
  const rows = await rowsOf('select * from users where id');
  const [row] = rows;
  expect(Object.keys(row).toSorted()).toEqual([
    'author_salt',
    'author_secret',
    'email_index',
    'end_left',
    'end_left_on',
    'id',
    'is_admin',
    'password_hash',
    'recovery_secret',
    'roles',
    'sealed',
  ]);
  // Set only for former verifiers and moderators.
  expect(row).toMatchObject({ end_left: null, end_left_on: null });
  rows.push(...(await rowsOf('select * from doctors where user_id')));
  const values = rows.flatMap((one) => Object.values(one).map(readable));
  const today = site.time.now.toISOString().slice(0, 10);
  expect(findTraces(values, [...MARKERS, today])).toEqual([]);
  // Its length does not distinguish it from others.
  const sealed = Buffer.from(row.sealed).length;
  expect((sealed - 2 - 'k1'.length - 12 - 16) % 256).toBe(0);
});
