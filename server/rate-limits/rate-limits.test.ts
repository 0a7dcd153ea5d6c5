import { expect, vi } from 'vitest';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { networkOf } from './limits.ts';
import { rateLimits } from './rate-limits.ts';

const HOUR_MS = 3_600_000;
const ADA = 'ada@mail.example';

/** A twentieth of the limits: 5 wrong logins an hour per email address. */
const config = { rateLimitFactor: 0.05 };

const test = testWith({ config }).extend('unused', { auto: true }, async ({ site }) => {
  await site.deps.db.deleteFrom('rate_limits').execute();
  await site.deps.db.deleteFrom('rate_limit_salts').execute();
});

const rows = async ({ deps }: Site) => ({
  limits: await deps.db.selectFrom('rate_limits').selectAll().execute(),
  salts: await deps.db.selectFrom('rate_limit_salts').selectAll().execute(),
});
const take = ({ deps }: Pick<Site, 'deps'>, email = ADA) =>
  rateLimits(deps).take('codeMailFirst', email);
/** With more or less of each limit. */
const limitsAt = ({ deps }: Site, rateLimitFactor: number) =>
  rateLimits({ ...deps, config: { ...deps.config, rateLimitFactor } });
const succeeded = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length;

test('rejects with Retry-After until the window ends, and then starts again', async ({ site }) => {
  site.time.now = new Date('2030-01-01T12:59:30.500Z');
  expect(await take(site)).toBe(1);
  const message = 'Rate limit exceeded. Please try again in 30 seconds.';
  const limited = { code: 'rate_limited', message, retryAfterSeconds: 30 };
  await expect(take(site)).rejects.toMatchObject(limited);
  expect(await take(site, 'bob@mail.example')).toBe(1);
  site.time.now = new Date('2030-01-01T13:00:00Z');
  expect(await take(site)).toBe(1);
});

test('simultaneous requests cannot exceed the limit', async ({ site }) => {
  const limits = limitsAt(site, 1);
  const all = Array.from({ length: 30 }, () => limits.take('codeMailFirst', ADA));
  expect(await succeeded(all)).toBe(20);
});

test('a rejection by a wider network uses no points of a narrower one', async ({ site }) => {
  const limits = limitsAt(site, 0.01);
  const from = (at: number) => networkOf({ ip: `2001:db8:1:${at}::1` });
  // 1 for the /64, 1.5 rounded up for the /56, 2 for the /48. All /64s here are in one /56.
  const all = [1, 2, 3, 4, 5].map((at) => limits.take('codeMailNetworkDay', '', from(at)));
  expect(await succeeded(all)).toBe(2);
  const { limits: kept } = await rows(site);
  expect(kept.map(({ points }) => points).toSorted()).toEqual([1, 1, 2, 2]);
});

test('attempts from one network run one at a time; nobody else is delayed', async ({ site }) => {
  const limits = rateLimits(site.deps);
  const logIn = <T>(ip: string, email: string, work: () => Promise<T | null>) =>
    limits.attempt(`login/${email}`, [['loginNetwork', '', networkOf({ ip })]], work);
  const outcome = Promise.withResolvers<null>();
  const guess = vi.fn(() => outcome.promise);
  const guesses = Array.from({ length: 20 }, (_, at) => logIn('192.0.2.1', `${at}@a.test`, guess));
  await expect.poll(() => guess.mock.calls.length).toBe(1);
  expect(await logIn('198.51.100.1', ADA, async () => 'signed in')).toBe('signed in');
  expect(guess).toHaveBeenCalledTimes(1);
  outcome.resolve(null);
  await Promise.allSettled(guesses);
  expect(guess).toHaveBeenCalledTimes(10);
});

test('a right attempt learns nothing once another server used the last point', async ({ site }) => {
  const [limits, other] = [rateLimits(site.deps), rateLimits(site.deps)];
  const budgets = [['loginAccount', ADA]] as const;
  const right = limits.attempt('login', budgets, async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await other.attempt('login', budgets, async () => null)).toBeNull();
    }
    return 'signed in';
  });
  await expect(right).rejects.toMatchObject({ code: 'rate_limited' });
});

test('taking a point and giving it back leaves no row', async ({ site }) => {
  const limits = rateLimits(site.deps);
  await limits.take('resetMailNetwork', '', networkOf({ ip: '192.0.2.1' }));
  await limits.giveBack('resetMailNetwork', '', networkOf({ ip: '192.0.2.1' }));
  expect((await rows(site)).limits).toEqual([]);
});

test('sites on one database share their counters', async ({ site }) => {
  const other = await newSite({ config, beside: site });
  other.time.now = site.time.now;
  const both = { ...other, deps: { ...other.deps, keys: site.deps.keys } };
  await Promise.all([take(site), take(both, 'bob@mail.example')]);
  await expect(take(both)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('deletes the salt of a window at its end, and all its counts', async ({ site }) => {
  site.time.now = new Date('2030-01-01T12:10:00Z');
  await take(site);
  const before = await rows(site);
  const ends_at = new Date('2030-01-01T13:00:00Z');
  expect(before.salts).toMatchObject([{ window_length: 'hour', ends_at }]);
  site.time.now = new Date('2030-01-01T13:10:00Z');
  await take(site);
  const after = await rows(site);
  expect([after.limits.length, after.salts.length]).toEqual([1, 1]);
  expect(after.salts[0]?.salt).not.toEqual(before.salts[0]?.salt);
  expect(after.limits[0]?.key).not.toEqual(before.limits[0]?.key);
});

test('the retention job deletes windows that ended without requests', async ({ site }) => {
  site.time.now = new Date('2030-01-01T12:10:00Z');
  await take(site);
  site.pass(HOUR_MS);
  await site.run('retention');
  expect(await rows(site)).toEqual({ limits: [], salts: [] });
});

test('neither the write-ahead log nor a base backup contains limits', async ({ site }) => {
  const unlogged = "relpersistence = 'u' and relkind = 'r'";
  const text = `select array_agg(relname::text order by relname) from pg_class where ${unlogged}`;
  const { rows: tables } = await site.deps.database.pool.query({ text, rowMode: 'array' });
  expect(tables).toEqual([[['rate_limit_salts', 'rate_limits']]]);
});

test('no stored time reveals when someone used the site', async ({ site }) => {
  site.time.now = new Date('2030-01-01T12:13:14.156Z');
  const guess = { email: 'nobody@mail.example', password: 'Guess-1234' };
  for (let time = 0; time < 3; time += 1) {
    await site.visitor({ from: '192.0.2.77' }).post(sessionEndpoints.login, guess);
  }
  const { limits } = await rows(site);
  expect(JSON.stringify(limits)).not.toMatch(/192\.0\.2\.77|nobody|login/);
  const times = new Set(limits.flatMap((row) => [row.ends_at, row.blocked_until ?? row.ends_at]));
  for (const time of times) expect(time.getTime() % (5 * 60_000)).toBe(0);
});
