import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInDoctor } from '#server/testing/factories.ts';
import { refusalOf, send, statusOf } from '../testing/account-flows.ts';

const DAY_MS = 86_400_000;
const SESSION_EXPIRED = {
  status: 401,
  code: 'session_expired',
  detail: 'Your session has expired. Please log in again.',
};

const refresh = (server: TestApp, token: string) =>
  send(server, '/auth/token/refresh/', { refresh: token });
const wait = (server: TestApp, ms: number) => {
  server.time.now = new Date(server.time.now.getTime() + ms);
};
const sessionsOf = ({ deps }: TestApp) => deps.db.selectFrom('sessions').select('id').execute();

async function refreshed(server: TestApp, token: string) {
  const answer = await refresh(server, token);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ access: string; refresh: string }>();
}

test('twenty simultaneous refreshes of one token leave one session and one successor', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => refresh(server, account.refresh)),
  );
  const tokens = answers.map((answer) => answer.json<{ access: string; refresh: string }>());
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
  expect(new Set(tokens.map((one) => one.refresh)).size).toBe(1);
  for (const { access } of tokens) expect(await statusOf(server, access)).toBe(200);
  expect(await sessionsOf(server)).toHaveLength(1);
  expect(tokens[0] && (await refreshed(server, tokens[0].refresh))).toBeTruthy();
});

test('a token used twice within 30 s gets the same response; later, it ends the session', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  const first = await refreshed(server, account.refresh);
  wait(server, 30_000);
  expect((await refreshed(server, account.refresh)).refresh).toBe(first.refresh);
  wait(server, 1);
  expect(refusalOf(await refresh(server, account.refresh))).toEqual(SESSION_EXPIRED);
  expect(refusalOf(await refresh(server, first.refresh))).toEqual(SESSION_EXPIRED);
  expect(await statusOf(server, first.access)).toBe(401);
  expect(await sessionsOf(server)).toEqual([]);
});

test('a delayed refresh gets the newest token, even if others have moved on', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  const second = await refreshed(server, account.refresh);
  const third = await refreshed(server, second.refresh);
  expect((await refreshed(server, account.refresh)).refresh).toBe(third.refresh);
  wait(server, 31_000);
  const fourth = await refreshed(server, third.refresh);
  expect(refusalOf(await refresh(server, account.refresh))).toEqual(SESSION_EXPIRED);
  expect(refusalOf(await refresh(server, fourth.refresh))).toEqual(SESSION_EXPIRED);
});

test('reuse in one session does not affect other sessions', async () => {
  await using server = await buildTestApp();
  const [victim, other] = [await signedInDoctor(server), await signedInDoctor(server)];
  await refreshed(server, victim.refresh);
  wait(server, 31_000);
  await refresh(server, victim.refresh);
  expect((await refresh(server, other.refresh)).statusCode).toBe(200);
});

test('rejects an invalid token, and ends nothing', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  const cut = account.refresh.slice(0, -4);
  const turned = `${account.refresh.slice(0, -6)}AAAAAA`;
  for (const token of ['x', 'AQFy', 'AQFyAAAA', cut, turned, account.headers.authorization]) {
    expect(refusalOf(await refresh(server, token))).toEqual(SESSION_EXPIRED);
    const left = await send(server, '/auth/logout/', { refresh: token });
    expect([left.statusCode, left.json()]).toEqual([200, { message: 'Signed out.' }]);
  }
  for (const [payload, message] of [
    [{}, 'Refresh token is required'],
    [{ refresh: '' }, 'Refresh token is required'],
    [{ refresh: 'x'.repeat(1001) }, SESSION_EXPIRED.detail],
  ] as const) {
    const answer = await send(server, '/auth/token/refresh/', payload);
    expect(refusalOf(answer)).toMatchObject({ status: 400, errors: { refresh: [message] } });
  }
  expect((await refresh(server, account.refresh)).statusCode).toBe(200);
});

test('an access token stops working as soon as its session ends', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  const { access, refresh: token } = await refreshed(server, account.refresh);
  expect(await statusOf(server, access)).toBe(200);
  // Also with an older token of the session.
  await send(server, '/auth/logout/', { refresh: account.refresh });
  expect(await statusOf(server, access)).toBe(401);
  expect(refusalOf(await refresh(server, token))).toEqual(SESSION_EXPIRED);
});

test('an access token lasts 15 minutes', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInDoctor(server);
  const access = headers.authorization.slice('Bearer '.length);
  wait(server, 14 * 60_000);
  expect(await statusOf(server, access)).toBe(200);
  wait(server, 61_000);
  expect(await statusOf(server, access)).toBe(401);
});

test('a session ends after 14 idle days', async () => {
  await using server = await buildTestApp();
  const [kept, idle] = [await signedInDoctor(server), await signedInDoctor(server)];
  wait(server, 14 * DAY_MS - 1000);
  await refreshed(server, kept.refresh);
  wait(server, 1000);
  expect(refusalOf(await refresh(server, idle.refresh))).toEqual(SESSION_EXPIRED);
});

test('a session ends after 90 days, however active', async () => {
  await using server = await buildTestApp();
  let { refresh: token } = await signedInDoctor(server);
  for (let day = 10; day < 90; day += 10) {
    wait(server, 10 * DAY_MS);
    token = (await refreshed(server, token)).refresh;
  }
  wait(server, 10 * DAY_MS - 60_000);
  const last = await refreshed(server, token);
  wait(server, 59_000);
  expect(await statusOf(server, last.access)).toBe(200);
  wait(server, 1000);
  expect(await statusOf(server, last.access)).toBe(401);
  expect(refusalOf(await refresh(server, last.refresh))).toEqual(SESSION_EXPIRED);
});

test('a session row identifies nobody, and its expiry is rounded to a day', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  const [session] = await server.deps.db.selectFrom('sessions').selectAll().execute();
  const end = new Date(server.time.now.getTime() + 15 * DAY_MS).toISOString().slice(0, 10);
  expect(session?.expires_on).toBe(end);
  expect(JSON.stringify(session)).not.toContain(account.userId);
  expect(Object.keys(session ?? {}).toSorted()).toEqual([
    'account_key',
    'expires_on',
    'id',
    'sealed',
  ]);
});

test('rejects tokens of another server, and requests without a token', async () => {
  await using server = await buildTestApp();
  const account = await signedInDoctor(server);
  await using other = await buildTestApp({
    config: { secrets: { ...server.deps.config.secrets, session: Buffer.alloc(32, 7) } },
  });
  const foreign = await signedInDoctor(other);
  const refused = async (authorization: string) => {
    const answer = await server.app.inject({
      url: '/api/auth/user/',
      headers: { authorization },
    });
    expect(refusalOf(answer)).toEqual({
      status: 401,
      code: 'authentication_required',
      detail: 'Please log in to continue.',
    });
  };
  for (const authorization of [
    '',
    'Bearer',
    'Bearer x',
    foreign.headers.authorization,
    account.headers.authorization.replace('Bearer', 'Basic'),
    `Bearer ${account.refresh}`,
  ]) {
    await refused(authorization);
  }
});
