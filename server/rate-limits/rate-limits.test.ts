import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { networkOf } from './networks.ts';
import { rateLimits } from './rate-limits.ts';

const HOUR_MS = 3_600_000;

const rows = async ({ deps }: TestApp) => ({
  limits: await deps.db.selectFrom('rate_limits').selectAll().execute(),
  salts: await deps.db.selectFrom('rate_limit_salts').selectAll().execute(),
});

/** A twentieth of the limits: 5 wrong logins an hour per email address. */
const build = (beside?: TestApp) =>
  buildTestApp({ config: { rateLimitFactor: 0.05 }, ...(beside && { beside }) });

const take = ({ deps }: TestApp, email: string) => rateLimits(deps).take('codeMailFirst', email);

test('rejects with Retry-After until the window ends, and then starts again', async () => {
  await using server = await build();
  server.time.now = new Date('2030-01-01T12:59:30.500Z');
  expect(await take(server, 'ada@mail.example')).toBe(1);
  await expect(take(server, 'ada@mail.example')).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'Rate limit exceeded. Please try again in 30 seconds.',
    retryAfterSeconds: 30,
  });
  expect(await take(server, 'bob@mail.example')).toBe(1);
  server.time.now = new Date('2030-01-01T13:00:00Z');
  expect(await take(server, 'ada@mail.example')).toBe(1);
});

test('simultaneous requests cannot exceed the limit', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const limits = rateLimits(server.deps);
  const taken = await Promise.all(
    Array.from({ length: 30 }, () => limits.allows('codeMailFirst', 'ada@mail.example')),
  );
  expect(taken.filter(Boolean)).toHaveLength(20);
});

test('a rejection by a wider network uses no points of a narrower one', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 0.05 } });
  const limits = rateLimits(server.deps);
  const from = (at: number) => networkOf({ ip: `2001:db8:1:${at}::1` });
  // 1 for the /64, 1.5 rounded up for the /56, 2 for the /48. All /64s here are in one /56.
  const all = [1, 2, 3, 4, 5].map((at) => limits.allows('newAccount', '', from(at)));
  expect((await Promise.all(all)).filter(Boolean)).toHaveLength(2);
  const { limits: kept } = await rows(server);
  expect(kept.map(({ points }) => points).toSorted()).toEqual([1, 1, 2, 2]);
});

test('taking a point and giving it back leaves no row', async () => {
  await using server = await build();
  const limits = rateLimits(server.deps);
  await limits.take('resetMailNetwork', '', networkOf({ ip: '192.0.2.1' }));
  await limits.giveBack('resetMailNetwork', '', networkOf({ ip: '192.0.2.1' }));
  expect((await rows(server)).limits).toEqual([]);
});

test('servers on one database share their counters', async () => {
  await using server = await build();
  await using other = await build(server);
  other.time.now = server.time.now;
  const both = { ...other, deps: { ...other.deps, keys: server.deps.keys } };
  await Promise.all([take(server, 'ada@mail.example'), take(both, 'bob@mail.example')]);
  await expect(take(both, 'ada@mail.example')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('deletes the salt of a window at its end, and all its counts', async () => {
  await using server = await build();
  server.time.now = new Date('2030-01-01T12:10:00Z');
  await take(server, 'ada@mail.example');
  const before = await rows(server);
  expect(before.salts).toMatchObject([
    { window_length: 'hour', ends_at: new Date('2030-01-01T13:00:00Z') },
  ]);
  server.time.now = new Date('2030-01-01T13:10:00Z');
  await take(server, 'ada@mail.example');
  const after = await rows(server);
  expect([after.limits.length, after.salts.length]).toEqual([1, 1]);
  expect(after.salts[0]?.salt).not.toEqual(before.salts[0]?.salt);
  expect(after.limits[0]?.key).not.toEqual(before.limits[0]?.key);
});

test('the retention job deletes windows that ended without requests', async () => {
  await using server = await build();
  server.time.now = new Date('2030-01-01T12:10:00Z');
  await take(server, 'ada@mail.example');
  server.time.now = new Date(server.time.now.getTime() + HOUR_MS);
  await server.deps.jobs.enqueue(server.deps.db, 'retention', {});
  await server.jobs.idle();
  expect(await rows(server)).toEqual({ limits: [], salts: [] });
});

test('neither the write-ahead log nor a base backup contains limits', async () => {
  await using server = await build();
  const { rows: tables } = await sql<{ relname: string }>`
    select relname from pg_class where relpersistence = 'u' and relkind = 'r' order by relname`.execute(
    server.deps.db,
  );
  expect(tables.map(({ relname }) => relname)).toEqual(['rate_limit_salts', 'rate_limits']);
});

test('no stored time reveals when someone used the site', async () => {
  await using server = await build();
  server.time.now = new Date('2030-01-01T12:13:14.156Z');
  const guess = { email: 'nobody@mail.example', password: 'Guess-1234' };
  for (let time = 0; time < 3; time += 1) {
    await server.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      payload: guess,
      remoteAddress: '192.0.2.77',
    });
  }
  const { limits } = await rows(server);
  expect(JSON.stringify(limits)).not.toMatch(/192\.0\.2\.77|nobody|login/);
  const times = new Set(limits.flatMap((row) => [row.ends_at, row.blocked_until ?? row.ends_at]));
  for (const time of times) expect(time.getTime() % (5 * 60_000)).toBe(0);
});
