import { expect, onTestFinished, test } from 'vitest';
import { PAGE_QUERIES } from '#contract/page-queries.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { pageRenderer } from './page-renderer.ts';

const HTML = { accept: 'text/html,*/*;q=0.8' };
/** Fits about 110 of these pages. */
const CACHE_BYTES = 1_000_000;
const MANY = 520;

/** A server where rendering a search waits for `openGate`. */
async function open() {
  const rendered: string[] = [];
  const { promise: opened, resolve: openGate } = Promise.withResolvers<void>();
  const pageSource = pagesOf({
    untilLoaded: async (url) => {
      rendered.push(url);
      if (url.includes('gated')) await opened;
    },
  });
  const server = await buildTestApp({ pageSource, responseBytes: CACHE_BYTES });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const get = (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ url, headers });
  return { rendered, openGate, get };
}

test('a page does not render again for unknown parameters', async () => {
  const { rendered, get } = await open();
  const page = await get('/reviews');
  for (let at = 0; at < MANY; at += 1) {
    const same = await get(`/reviews?f=${at}`);
    expect(same.headers.etag).toBe(page.headers.etag);
  }
  expect(rendered).toHaveLength(1);
});

test('pages that are requested once do not evict a page that is requested often', async () => {
  const { rendered, get } = await open();
  await get('/reviews');
  for (let at = 0; at < MANY; at += 1) {
    await get(`/reviews?search=word${at}`);
    if (at % 50 === 0) await get('/reviews');
  }
  expect((await get('/reviews')).statusCode).toBe(200);
  expect(rendered).toHaveLength(1 + MANY);
});

test('rejects pages when the queue is full, and still serves cached ones', async () => {
  const { rendered, openGate, get } = await open();
  await get('/reviews');
  const asked = Array.from({ length: 50 }, (_, at) => get(`/reviews?search=gated${at}`, HTML));
  // Requests beyond the queue get a response while all others wait.
  const refused = await Promise.any(asked);
  expect(refused.statusCode).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; style-src 'sha256-/),
  });
  expect(refused.body).toContain('Curbside is busy. Please try again in a moment.');
  expect((await get('/reviews')).statusCode).toBe(200);
  const problem = await get('/reviews?search=another');
  expect(problem.json()).toMatchObject({ status: 503, code: 'unavailable' });
  openGate();
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(rendered).toHaveLength(1 + 32);
  expect((await get('/reviews?search=another')).statusCode).toBe(200);
});

test('stops rendering a page that takes too long', async () => {
  const build = await pagesOf({ untilLoaded: () => new Promise(() => {}) }).load();
  const rendering = pageRenderer(
    build,
    false,
    10,
  )('http://localhost/', {
    fetchApi: async () => new Response(),
    verification: 'proof',
  });
  await expect(rendering).rejects.toMatchObject({ code: 'unavailable' });
});

test('every page in the table has a route', async () => {
  const { get } = await open();
  for (const path of Object.keys(PAGE_QUERIES)) {
    expect((await get(path.replace(/:\w+/g, '1'))).statusCode, path).toBe(200);
  }
});
