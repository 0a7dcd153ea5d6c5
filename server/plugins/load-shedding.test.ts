import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';

const MAX_MS = 300;
/** How often the average is computed. */
const SAMPLE_MS = 1_000;

function stall(ms: number) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('rejects requests while the server is overloaded, and says when to retry', async () => {
  await using server = await buildTestApp({ config: { maxEventLoopDelayMs: MAX_MS } });
  let isBusy = true;
  const work = (async () => {
    for (; isBusy; await setImmediate()) stall(2 * MAX_MS);
  })();
  const ask = () => server.app.inject({ url: '/api/employers/' });
  await expect.poll(async () => (await ask()).statusCode).toBe(503);
  const { headers, body } = await ask();
  isBusy = false;
  await work;
  expect([headers['retry-after'], headers['cache-control']]).toEqual(['10', 'no-store']);
  expect(JSON.parse(body)).toMatchObject({ status: 503, code: 'unavailable' });
});

test('a past stall rejects nobody', async () => {
  await using server = await buildTestApp({ config: { maxEventLoopDelayMs: MAX_MS } });
  stall(2 * SAMPLE_MS);
  const until = performance.now() + 2 * SAMPLE_MS;
  while (performance.now() < until) {
    expect((await server.app.inject({ url: '/api/employers/' })).statusCode).toBe(200);
  }
});
