import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import * as factories from '#server/testing/factories.ts';
import { type ListeningCache, openPublicCache } from './public-cache.ts';
import * as positions from './write-position.ts';

const { newEmployer, reviewOf, signedInDoctor } = factories;
const { openPosition, sealPosition, TOKEN_MS, UNKNOWN_POSITION } = positions;
const HEADER = 'x-write-position';

const started = new AsyncDisposableStack();
let writer: TestApp;
/** Its cache listens to another database, and so receives no notifications. */
let deaf: TestApp;
let cache: ListeningCache;
let tell: (text: string) => Promise<unknown>;
let doctor: factories.TestAccount;
beforeAll(async () => {
  writer = started.use(await buildTestApp());
  const { background, pool } = started.use(await createTestDatabase());
  tell = (text) => pool.query('select pg_notify($1, $2)', [positions.CHANNEL, text]);
  cache = started.adopt(await openPublicCache(background.pool), (opened) => opened.close());
  deaf = started.use(await buildTestApp({ beside: writer, cache }));
  doctor = await signedInDoctor(writer);
});
afterAll(() => started.disposeAsync());

const send = (payload: object, headers: Record<string, string> = doctor.headers) =>
  writer.app.inject({ method: 'POST', url: '/api/reviews/', payload, headers });
const post = async (employer: number) => {
  const answer = await send(reviewOf(employer));
  expect(answer.statusCode).toBe(201);
  return answer;
};
const listOf = (server: TestApp, employer: number, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/employers/${employer}/reviews/`, headers });
const countOf = async (...of: Parameters<typeof listOf>) =>
  (await listOf(...of)).json<Page<Review>>().count;

test('a request with the position of a write reads that write; other requests need not', async () => {
  const employer = await newEmployer(writer);
  expect(await countOf(deaf, employer)).toBe(0);
  const written = await post(employer);
  const token = String(written.headers[HEADER]);
  expect(await countOf(deaf, employer)).toBe(0);
  expect(await countOf(deaf, employer, { [HEADER]: token })).toBe(1);
  const [cookie] = written.cookies.filter(({ name }) => name === 'write_position');
  expect(cookie).toMatchObject({ value: token, path: '/', httpOnly: true, sameSite: 'Lax' });
  expect(cookie?.maxAge).toBe(TOKEN_MS / 1000);
  expect(await countOf(deaf, employer, { cookie: `a=b; write_position=${token}` })).toBe(1);
  // A value read for one caller is not cached for others, who rely on notifications.
  expect(await countOf(deaf, employer)).toBe(0);
});

test('a server that has caught up answers from its cache again', async () => {
  const employer = await newEmployer(writer);
  expect(await countOf(deaf, employer)).toBe(0);
  await post(employer);
  const position = 12_345;
  const token = sealPosition(writer.deps.keys, position, writer.time.now);
  await tell(`${positions.POSITION_MARK}${position - 1}`);
  await expect.poll(() => cache.caughtUpTo()).toBe(position - 1);
  expect(await countOf(deaf, employer, { [HEADER]: token })).toBe(1);
  await tell(`${positions.POSITION_MARK}${position}`);
  await expect.poll(() => cache.caughtUpTo()).toBe(position);
  // Only in this test, where the notification about the review is lost, this is stale.
  expect(await countOf(deaf, employer, { [HEADER]: token })).toBe(0);
});

test('two servers: a write on one is immediately readable on the other', async () => {
  await using other = await buildTestApp({ beside: writer });
  for (let round = 0; round < 25; round += 1) {
    const employer = await newEmployer(writer);
    expect(await countOf(other, employer)).toBe(0);
    const { headers } = await post(employer);
    expect(await countOf(other, employer, { [HEADER]: String(headers[HEADER]) })).toBe(1);
  }
  const behind = () => writer.deps.cache.caughtUpTo() - other.deps.cache.caughtUpTo();
  await expect.poll(behind).toBe(0);
  expect(other.deps.cache.caughtUpTo()).toBeGreaterThan(0);
});

test('reads and rejected writes return no position', async () => {
  const read = await listOf(writer, await newEmployer(writer));
  const answers = [read, await send({}), await send(reviewOf(1), {})];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 401]);
  for (const { headers } of answers) {
    expect(headers[HEADER]).toBeUndefined();
    expect(String(headers['set-cookie'])).not.toContain('write_position');
  }
});

test('a token hides its position, is valid for a minute, and cannot be forged', async () => {
  const { keys } = writer.deps;
  const now = new Date();
  const token = sealPosition(keys, 12_345, now);
  expect(sealPosition(keys, 12_345, now)).not.toBe(token);
  expect(sealPosition(keys, UNKNOWN_POSITION, now)).toHaveLength(token.length);
  const later = (ms: number) => new Date(now.getTime() + ms);
  expect(openPosition(keys, token, later(TOKEN_MS - 1))).toBe(12_345);
  expect(openPosition(keys, token, later(TOKEN_MS))).toBeNull();
  const employer = await newEmployer(writer);
  for (const text of ['', '12345', `${token.slice(0, -2)}AA`, 'A'.repeat(5000)]) {
    expect(openPosition(keys, text, now)).toBeNull();
    expect((await listOf(deaf, employer, { [HEADER]: text })).statusCode).toBe(200);
  }
});

test("if a write's position is unknown, its author bypasses every cache", async () => {
  const { keys } = writer.deps;
  const employer = await newEmployer(writer);
  expect(await countOf(deaf, employer)).toBe(0);
  await post(employer);
  const token = sealPosition(keys, UNKNOWN_POSITION, deaf.time.now);
  expect(await countOf(deaf, employer, { [HEADER]: token })).toBe(1);
});
