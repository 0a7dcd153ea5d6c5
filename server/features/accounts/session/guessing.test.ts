import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { logIn, newMember, PASSWORD, refusalOf, send } from '../testing/account-flows.ts';

const WRONG = 'Wrong-Stethoscope-1';
const REAL_LIMITS = { config: { rateLimitFactor: 1 } };

/** Wrong logins for one email address, one at a time: status and Retry-After of each. */
async function guess(server: TestApp, email: string, networks: readonly string[]) {
  const answers = [];
  for (const network of networks) {
    const { statusCode, headers } = await logIn(server, email, WRONG, network);
    answers.push({ status: statusCode, wait: Number(headers['retry-after'] ?? 0) });
  }
  return answers;
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
const waits = (answers: readonly { wait: number }[]) =>
  answers.map(({ wait }) => wait).filter((wait) => wait > 0);

const NETWORKS_64 = Array.from({ length: 14 }, (_, at) => `2001:db8:7:${at.toString(16)}00::1`);

test('14 wrong logins from 14 /64s of one /48 do not all get through', async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const { email } = await newMember(server);
  const known = await guess(server, email, NETWORKS_64);
  const unknown = await guess(server, newEmail(), NETWORKS_64);
  expect(statuses(known)).toEqual([...Array(12).fill(401), 429, 429]);
  expect(statuses(unknown)).toEqual(statuses(known));
  for (const answers of [known, unknown]) {
    const [first = 0, second = 0] = waits(answers);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
  }
  expect((await logIn(server, email, PASSWORD, '192.0.2.1')).statusCode).toBe(200);
  expect((await logIn(server, email, PASSWORD, '2001:db8:8::1')).statusCode).toBe(200);
});

test('a malformed login does not count', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.1 } });
  const { email } = await newMember(server);
  for (let time = 0; time < 60; time += 1) {
    expect((await send(server, '/auth/login/', { email })).statusCode).toBe(400);
  }
  expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
});

test('a whole hospital can log in from one address', async () => {
  // A tenth of the limits: 20 wrong logins an hour per network, one per account.
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.1 } });
  const members = [await newMember(server), await newMember(server)];
  for (let time = 0; time < 15; time += 1) {
    for (const { email } of members) {
      expect((await logIn(server, email, PASSWORD, '203.0.113.5')).statusCode).toBe(200);
    }
  }
});

test('invalid refreshes block nobody else at the same address', async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const { refresh } = await newMember(server);
  const renew = (token: string) => send(server, '/auth/token/refresh/', { refresh: token });
  for (let time = 0; time < 121; time += 1) {
    expect(refusalOf(await renew(`junk${time}`)).code).toBe('session_expired');
  }
  expect((await renew(refresh)).statusCode).toBe(200);
});

test('a successful login or refresh leaves no counters behind', async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const { email, refresh } = await newMember(server);
  const rows = async () => {
    const found = await server.deps.db.selectFrom('rate_limits').selectAll().execute();
    return found.map((row) => JSON.stringify(row)).toSorted();
  };
  const before = await rows();
  await logIn(server, email, PASSWORD, '198.51.100.9');
  await send(server, '/auth/token/refresh/', { refresh }, { from: '198.51.100.9' });
  expect(await rows()).toEqual(before);
});

test('simultaneous guesses get no more attempts than sequential ones', async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const { email } = await newMember(server);
  const guesses = Array.from({ length: 20 }, () => logIn(server, email, WRONG, '198.51.100.7'));
  const answers = await Promise.all(guesses);
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(6);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(14);
});

test('256 neighbors get five times the guesses of one IPv4 address', async () => {
  // A third of the limits: 2 for an address, 10 for its /24.
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 / 3 } });
  const email = newEmail();
  const neighbors = Array.from({ length: 12 }, (_, at) => `198.51.100.${at}`);
  expect(statuses(await guess(server, email, neighbors))).toEqual([
    ...Array(10).fill(401),
    429,
    429,
  ]);
  expect(statuses(await guess(server, email, ['::ffff:198.51.100.77']))).toEqual([429]);
  expect(statuses(await guess(server, email, Array(3).fill('203.0.113.1')))).toEqual([
    401, 401, 429,
  ]);
});

test('a successful login resets the count of wrong ones', async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  const { email } = await newMember(server);
  for (let round = 0; round < 3; round += 1) {
    expect(statuses(await guess(server, email, Array(5).fill('192.0.2.1')))).toEqual(
      Array(5).fill(401),
    );
    expect((await logIn(server, email, PASSWORD, '192.0.2.1')).statusCode).toBe(200);
  }
});

test('rejected attempts extend the wait, and after it one more guess is allowed', async () => {
  await using server = await buildTestApp(REAL_LIMITS);
  server.time.now = new Date('2030-01-01T12:00:00Z');
  const email = newEmail();
  const network = '198.51.100.7';
  const answers = await guess(server, email, Array(10).fill(network));
  const [first = 0, second = 0, third = 0, last = 0] = waits(answers);
  expect([first, second, third].map((wait, at) => wait > 300 * 2 ** (at + 1))).toEqual(
    Array(3).fill(true),
  );
  server.time.now = new Date(server.time.now.getTime() + last * 1000);
  expect(statuses(await guess(server, email, [network, network]))).toEqual([401, 429]);
});

test('X-Forwarded-For counts only from a configured proxy', async () => {
  const attempt = async (server: TestApp, forwarded: string) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      payload: { email: 'nobody@mail.example', password: WRONG },
      headers: { 'x-forwarded-for': forwarded },
    });
    return answer.statusCode;
  };
  const rateLimitFactor = 0.1;
  await using open = await buildTestApp({ config: { rateLimitFactor } });
  expect(await attempt(open, '192.0.2.1')).toBe(401);
  expect(await attempt(open, '198.51.100.2')).toBe(429);
  await using behind = await buildTestApp({ config: { rateLimitFactor, trustProxy: '127.0.0.1' } });
  expect(await attempt(behind, '192.0.2.1')).toBe(401);
  expect(await attempt(behind, '192.0.2.1')).toBe(429);
  expect(await attempt(behind, '198.51.100.2')).toBe(401);
});
