import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';

const BUSY_MS = 50;

function keepBusy() {
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
}

test('a server that falls behind refuses what the API is asked, and says when to come back', async () => {
  await using server = await buildTestApp({ config: { maxEventLoopDelayMs: 1 } });
  const ask = async () => {
    keepBusy();
    return server.app.inject({ url: '/api/employers/' });
  };
  await expect.poll(async () => (await ask()).statusCode, { interval: 0 }).toBe(503);
  const { headers, body } = await ask();
  expect([headers['retry-after'], headers['cache-control']]).toEqual(['10', 'no-store']);
  expect(JSON.parse(body)).toMatchObject({ status: 503, code: 'unavailable' });
});
