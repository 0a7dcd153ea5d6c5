import { setImmediate } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, onTestFinished, vi } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { testWith } from '#server/testing/site.ts';
import { loadShedding } from './load-shedding.ts';

const config = { maxEventLoopDelayMs: 50 };
const test = testWith({ config });

/** Each turn of the event loop takes too long until the condition is met. */
async function stallUntil(isMet: () => boolean) {
  for (; !isMet(); await setImmediate()) {
    const until = Date.now() + 2 * config.maxEventLoopDelayMs;
    while (Date.now() < until);
  }
}

test('rejects requests while overloaded, and says when to retry', async ({ site }) => {
  let isBusy = true;
  const work = stallUntil(() => !isBusy);
  const ask = () => site.visitor().get(employerEndpoints.list);
  await expect.poll(async () => (await ask()).status).toBe(503);
  const { headers, problem } = await ask();
  isBusy = false;
  await work;
  expect([headers['retry-after'], headers['cache-control']]).toEqual(['10', 'no-store']);
  expect(problem).toMatchObject({ status: 503, code: 'unavailable' });
});

test('a past stall rejects nobody', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const { isSlow, refuseIfSlow } = loadShedding(app, config);
  app.addHook('onRequest', refuseIfSlow);
  app.get('/', async () => 'quick');
  await app.ready();
  // On a busy machine, even the turns after the stall may be slow. Here they take no time.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  // Again if the average fell during the request: it was perhaps not high when it was read.
  do {
    await stallUntil(() => isSlow());
    expect((await app.inject('/')).statusCode).toBe(200);
  } while (!isSlow());
});
