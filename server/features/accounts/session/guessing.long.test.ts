import { expect } from 'vitest';
import { newEmail } from '#server/testing/factories.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';

const { PASSWORD, addMember, canLogIn, logIn, refreshWith, refusalOf } = accounts;

const WRONG = 'Wrong-Stethoscope-1';

const test = testWith({ config: { rateLimitFactor: 1 } }).extend('member', ({ site }) =>
  addMember(site),
);

/** Wrong logins for one email address, one at a time: status and Retry-After of each. */
async function guess(site: Site, email: string, networks: readonly string[]) {
  const answers = [];
  for (const from of networks) {
    const { status, headers } = await logIn(site, email, WRONG, { from });
    answers.push({ status, wait: Number(headers['retry-after'] ?? 0) });
  }
  return answers;
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
const waits = (answers: readonly { wait: number }[]) =>
  answers.map(({ wait }) => wait).filter((wait) => wait > 0);

const NETWORKS_64 = Array.from({ length: 14 }, (_, at) => `2001:db8:7:${at.toString(16)}00::1`);

test('stops a stranger who guesses, and locks nobody out', async ({ site, member: { email } }) => {
  const stranger = { from: '198.51.100.7' };
  for (let guess = 0; guess < 6; guess += 1) {
    expect((await logIn(site, email, WRONG, stranger)).status).toBe(401);
  }
  const stopped = await logIn(site, email, PASSWORD, stranger);
  const seconds = Number(stopped.headers['retry-after']);
  expect(seconds).toBeGreaterThan(600);
  expect(refusalOf(stopped)).toEqual({
    status: 429,
    code: 'rate_limited',
    detail: `Rate limit exceeded. Please try again in ${seconds} seconds.`,
  });
  expect(await canLogIn(site, email)).toBe(true);
});

test('14 wrong logins from 14 /64s of one /48 do not all get through', async ({
  site,
  member: { email, password },
}) => {
  const known = await guess(site, email, NETWORKS_64);
  const unknown = await guess(site, newEmail(), NETWORKS_64);
  expect(statuses(known)).toEqual([...Array(12).fill(401), 429, 429]);
  expect(statuses(unknown)).toEqual(statuses(known));
  for (const answers of [known, unknown]) {
    const [first = 0, second = 0] = waits(answers);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
  }
  for (const from of ['192.0.2.1', '2001:db8:8::1']) {
    expect((await logIn(site, email, password, { from })).status).toBe(200);
  }
});

test('invalid refreshes block nobody else at the same address', async ({ site, member }) => {
  for (let time = 0; time < 121; time += 1) {
    const answer = await refreshWith(site, { refresh: `junk${time}` });
    expect(refusalOf(answer).code).toBe('session_expired');
  }
  expect((await refreshWith(site, member)).status).toBe(200);
});

test('a successful login or refresh leaves no counters behind', async ({ site, member }) => {
  const rows = async () => {
    const found = await site.rows('rate_limits');
    return found.map((row) => JSON.stringify(row)).toSorted();
  };
  // Deletes the counters of earlier tests, if their hour has ended.
  await canLogIn(site, member.email);
  const before = await rows();
  await logIn(site, member.email, member.password, { from: '198.51.100.9' });
  await refreshWith(site, member);
  expect(await rows()).toEqual(before);
});

test('simultaneous guesses get no more attempts than sequential ones', async ({ site, member }) => {
  const guesses = Array.from({ length: 20 }, () => logIn(site, member.email, WRONG));
  const answers = statuses(await Promise.all(guesses));
  expect(answers.toSorted()).toEqual([...Array(6).fill(401), ...Array(14).fill(429)]);
});

test.for([
  ['one server', '198.18.1.1'],
  ['two servers', '198.18.2.1'],
] as const)(
  'of 1,000 simultaneous guesses from one network, exactly 200 are checked, with %s',
  async ([servers, from], { site, member }) => {
    const other =
      servers === 'one server'
        ? site
        : await newSite({ beside: site, config: { rateLimitFactor: 1 } });
    other.time.now = site.time.now;
    const guesses = Array.from({ length: 1000 }, async (_, at) => {
      const guess = await logIn(at % 2 ? site : other, newEmail(), WRONG, { from });
      return guess.status;
    });
    const elsewhere = await logIn(site, member.email, PASSWORD, { from: '203.0.113.20' });
    expect(elsewhere.status).toBe(200);
    const counts = Object.groupBy(await Promise.all(guesses), String);
    expect(counts).toEqual({ 401: Array(200).fill(401), 429: Array(800).fill(429) });
  },
);

test('nobody on the network can tell that a member is logging in right now', async ({
  site,
  member: { email },
}) => {
  const from = '198.51.100.7';
  expect(statuses(await guess(site, email, Array(5).fill(from)))).toEqual(Array(5).fill(401));
  // All at once: one attempt is left, and the logins use none.
  const logins = Array.from({ length: 3 }, () => logIn(site, email, PASSWORD, { from }));
  const answers = guess(site, email, [from, from]);
  expect(statuses(await Promise.all(logins))).toEqual([200, 200, 200]);
  expect(statuses(await answers)).toEqual([401, 429]);
});

test('256 neighbors get five times the guesses of one IPv4 address', async ({ site }) => {
  const email = newEmail();
  // 6 for an address, 30 for its /24.
  const neighbors = Array.from({ length: 32 }, (_, at) => `198.51.100.${at}`);
  const first = await guess(site, email, neighbors);
  expect(statuses(first)).toEqual([...Array(30).fill(401), 429, 429]);
  expect(statuses(await guess(site, email, ['::ffff:198.51.100.77']))).toEqual([429]);
  const elsewhere = await guess(site, email, Array(7).fill('203.0.113.1'));
  expect(statuses(elsewhere)).toEqual([...Array(6).fill(401), 429]);
});

test('others on the network cannot tell whether the owner has logged in', async ({ site }) => {
  const from = '198.51.100.7';
  const rest = Array(4).fill(from);
  for (const browser of ['new', 'known'] as const) {
    const owner = await addMember(site);
    const { cookies } = await logIn(site, owner.email, PASSWORD, { from: '203.0.113.9' });
    const away = await addMember(site);
    for (const { email } of [owner, away]) {
      expect(statuses(await guess(site, email, Array(5).fill(from)))).toEqual(Array(5).fill(401));
    }
    const login = await logIn(site, owner.email, PASSWORD, {
      from,
      ...(browser === 'known' && { cookies }),
    });
    expect(login.status).toBe(200);
    const answers = await guess(site, owner.email, rest);
    expect(statuses(answers)).toEqual([401, 429, 429, 429]);
    expect(await guess(site, away.email, rest)).toEqual(answers);
    expect(await guess(site, newEmail(), [...Array(5).fill(from), ...rest])).toEqual([
      ...Array(5).fill({ status: 401, wait: 0 }),
      ...answers,
    ]);
  }
});

test('a login resets the wrong ones of a known device', async ({ site, member: { email } }) => {
  let { cookies } = await logIn(site, email);
  for (let round = 0; round < 3; round += 1) {
    for (let wrong = 0; wrong < 9; wrong += 1) {
      expect((await logIn(site, email, WRONG, { cookies })).status).toBe(401);
    }
    const known = await logIn(site, email, PASSWORD, { cookies });
    expect(known.status).toBe(200);
    // Each login renews the cookie, under a new id.
    cookies = known.cookies;
  }
});

test('rejected attempts extend the wait; then one more guess is allowed', async ({ site }) => {
  site.time.now = new Date('2030-01-01T12:00:00Z');
  const email = newEmail();
  const network = '198.51.100.7';
  const answers = await guess(site, email, Array(10).fill(network));
  const [first = 0, second = 0, third = 0, last = 0] = waits(answers);
  expect([first, second, third].map((wait, at) => wait > 300 * 2 ** (at + 1))).toEqual(
    Array(3).fill(true),
  );
  site.pass(last * 1000);
  expect(statuses(await guess(site, email, [network, network]))).toEqual([401, 429]);
});

test('X-Forwarded-For counts only from a configured proxy', async ({ site: open }) => {
  const attempts = async (site: Site, ...forwarded: string[]) => {
    const email = newEmail();
    const answers = [];
    for (const address of forwarded) {
      const headers = { 'x-forwarded-for': address };
      answers.push((await logIn(site, email, WRONG, { headers })).status);
    }
    return answers;
  };
  const [same, other] = [Array(6).fill('192.0.2.1'), '198.51.100.2'];
  expect(await attempts(open, ...same, other)).toEqual([...Array(6).fill(401), 429]);
  const behind = await newSite({
    beside: open,
    config: { rateLimitFactor: 1, trustProxy: '127.0.0.1' },
  });
  expect(await attempts(behind, ...same, '192.0.2.1', other)).toEqual([
    ...Array(6).fill(401),
    429,
    401,
  ]);
});
