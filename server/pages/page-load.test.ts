import { PAGE_QUERIES } from '#contract/page-queries.ts';
import { TOPICS } from '#server/db/topics.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { expect, testWith } from '#server/testing/site.ts';
import { pageRenderer } from './pages.ts';

const HTML = { accept: 'text/html,*/*;q=0.8' };
/** Fits about 22 of these pages. */
const CACHE_BYTES = 200_000;
const MANY = 110;

const rendered: string[] = [];
let gate = Promise.withResolvers<void>();

/** Rendering a gated search waits for the gate. */
async function untilLoaded(url: string) {
  rendered.push(url);
  if (url.includes('gated')) await gate.promise;
}

/** Each test begins with an empty cache. */
const options = { pageSource: pagesOf({ untilLoaded }), responseBytes: CACHE_BYTES };
const test = testWith(options).extend('get', ({ site }) => {
  site.deps.cache.changed(TOPICS);
  rendered.length = 0;
  gate = Promise.withResolvers();
  return (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });
});

test('a page does not render again for unknown parameters', async ({ get }) => {
  const page = await get('/reviews');
  for (let at = 0; at < MANY; at += 1) {
    const same = await get(`/reviews?f=${at}`);
    expect(same.headers.etag).toBe(page.headers.etag);
  }
  expect(rendered).toHaveLength(1);
});

test('pages requested once do not evict a page that is requested often', async ({ get }) => {
  await get('/reviews');
  for (let at = 0; at < MANY; at += 1) {
    await get(`/reviews?search=word${at}`);
    if (at % 10 === 0) await get('/reviews');
  }
  expect((await get('/reviews')).statusCode).toBe(200);
  expect(rendered).toHaveLength(1 + MANY);
});

test('rejects pages when the queue is full, and still serves cached ones', async ({ get }) => {
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
  gate.resolve();
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(rendered).toHaveLength(1 + 32);
  expect((await get('/reviews?search=another')).statusCode).toBe(200);
});

test('stops rendering a page that takes too long', async () => {
  const build = await pagesOf({ untilLoaded: () => new Promise(() => {}) }).load();
  const render = pageRenderer(build, false, 10);
  const context = { fetchApi: async () => new Response(), verification: 'proof' } as const;
  await expect(render('http://localhost/', context)).rejects.toMatchObject({ code: 'unavailable' });
});

test('every page in the table has a route', async ({ get }) => {
  for (const path of Object.keys(PAGE_QUERIES)) {
    expect((await get(path.replace(/:\w+/g, '1'))).statusCode, path).toBe(200);
  }
});
