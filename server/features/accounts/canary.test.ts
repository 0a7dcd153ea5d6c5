import { expect, test, vi } from 'vitest';
import type { VerificationChecks } from '#contract/doctors.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { hurry } from '#server/testing/jobs.ts';
import { bearer, codeFor, linkFor, logIn, send } from './testing/account-flows.ts';
import { findTraces, readEverything } from './testing/traces.ts';

vi.setConfig({ testTimeout: 120_000 });

const EMAIL = 'canary.old@warbler-clinic.example';
const NEW_EMAIL = 'canary.new@bunting-clinic.example';
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
  '198.51.100.77',
];

/** Fails once, with an error message that contains values. */
function flakyRegistry() {
  let asked = 0;
  return {
    async lookUp(npi: string) {
      asked += 1;
      if (asked === 1) throw new RegistryUnavailable(`no answer about ${npi}`);
      const names = [{ first: DETAILS.first_name, last: DETAILS.last_name }];
      return {
        kind: 'person',
        active: true,
        names,
        taxonomies: ['207R00000X'],
        practice: null,
      } as const;
    },
  };
}

/** Every account flow, including rejections. Returns the secrets that occurred in it. */
async function live(server: TestApp, look: () => Promise<void>): Promise<string[]> {
  const from = '198.51.100.77';
  const secrets: string[] = [];
  const post = async (path: string, payload: object, access = '') => {
    const answer = await send(server, path, payload, { headers: bearer(access), from });
    await look();
    return answer;
  };

  await post('/auth/register/', { action: 'create_account', ...DETAILS });
  const otp_code = await codeFor(server, EMAIL);
  secrets.push(otp_code);
  await post('/auth/register/', { action: 'verify_otp', ...DETAILS, otp_code: '000000' });
  await post('/auth/register/', { action: 'verify_otp', ...DETAILS, extra: EMAIL, otp_code });
  const signup = await post('/auth/register/', { action: 'verify_otp', ...DETAILS, otp_code });
  const { access, refresh, user } = signup.json();
  await server.jobs.idle();
  await hurry(server.deps.database.pool);
  await server.jobs.idle();
  const doctor = await server.app.inject({ url: '/api/doctors/me/', headers: bearer(access) });
  const checks: VerificationChecks = doctor.json().verification.checks;
  expect(Object.values(checks)).toEqual([true, true, true, true, true]);

  await logIn(server, EMAIL, 'Canary-password-3', from);
  const login = (await logIn(server, EMAIL, PASSWORDS[0], from)).json();
  const refreshed = (await post('/auth/token/refresh/', { refresh: login.refresh })).json();
  secrets.push(access, refresh, login.access, login.refresh, refreshed.access, refreshed.refresh);

  await post('/auth/password/reset/', { email: EMAIL });
  const reset = await linkFor(server, EMAIL, '/password-reset');
  await server.app.inject({ url: '/api/auth/password/reset/validate/', query: reset });
  await post('/auth/password/reset/confirm/', { ...reset, new_password: 'Canary-password-2' });
  const again = (await logIn(server, EMAIL, PASSWORDS[1], from)).json();
  const change = { current_password: PASSWORDS[1], new_password: PASSWORDS[2] };
  await post('/auth/password/change/', change, again.access);

  const patch = { email: NEW_EMAIL, first_name: 'Canaryfirst' };
  const options = { headers: bearer(again.access), from, method: 'PATCH' } as const;
  await send(server, `/users/${user.id}/`, patch, options);
  await look();
  const confirm = await linkFor(server, NEW_EMAIL, '/confirm-email');
  const stop = await linkFor(server, EMAIL, '/stop-email-change');
  await post('/auth/email/confirm/', confirm);
  await post('/auth/email/stop/', stop);
  secrets.push(again.access, again.refresh);
  secrets.push(reset.token, confirm.token, stop.token);

  await server.app.inject({ url: '/api/auth/export/', headers: bearer(again.access) });
  await server.app.inject({ url: `/api/nowhere/${EMAIL}?npi=${DETAILS.npi}` });
  const headers = { 'content-type': 'application/json' };
  const payload = `{"email":"${EMAIL}", "password":"${PASSWORDS[0]}`;
  await server.app.inject({ method: 'POST', url: '/api/auth/login/', headers, payload });
  await post('/auth/logout/', { refresh: again.refresh });
  return secrets;
}

test('no account flow leaves readable traces in the database or the log', async () => {
  const lines: string[] = [];
  await using server = await buildTestApp({
    config: { logLevel: 'trace' },
    logTo: (line) => lines.push(line),
    npiRegistry: flakyRegistry(),
  });
  const seen: string[] = [];
  const look = async () => {
    seen.push(...(await readEverything(server.deps.database.pool)));
  };
  const secrets = await live(server, look);
  await server.jobs.idle();
  await look();

  const markers = [...MARKERS, ...secrets];
  expect(secrets).toHaveLength(12);
  expect(findTraces(seen, markers)).toEqual([]);
  expect(findTraces(lines, markers)).toEqual([]);
  expect(lines.length).toBeGreaterThan(20);
  const jobs = await server.deps.database.pool.query(
    "select from pgboss.job where name not like '\\_\\_pgboss%'",
  );
  expect(jobs.rowCount).toBe(0);

  // The same search finds values that are in the database.
  const users = await server.deps.db.selectFrom('users').select('id').execute();
  expect(findTraces(seen, [users[0]?.id ?? ''])).not.toEqual([]);
  expect(findTraces(lines, ['/api/auth/login'])).not.toEqual([]);
});

test('a row of users is unreadable without the keys', async () => {
  await using server = await buildTestApp();
  await send(server, '/auth/register/', { action: 'create_account', ...DETAILS });
  const otp_code = await codeFor(server, EMAIL);
  await send(server, '/auth/register/', { action: 'verify_otp', ...DETAILS, otp_code });
  const { rows } = await server.deps.database.pool.query('select * from users');
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
  const values = await readEverything(server.deps.database.pool, ['users', 'doctors']);
  const today = server.time.now.toISOString().slice(0, 10);
  expect(findTraces(values, [...MARKERS, today])).toEqual([]);
  // Its length does not distinguish it from others.
  const sealed = Buffer.from(row.sealed).length;
  expect((sealed - 2 - 'k1'.length - 12 - 16) % 256).toBe(0);
});
