import { createHash } from 'node:crypto';
import { TOPICS } from '#server/db/topics.ts';
import { pagesOf } from '#server/testing/page-source.ts';
import { expect, newSite, testWith } from '#server/testing/site.ts';

/** What the pages of a test contain. */
const page = { inject: (_nonce: string) => '' };

/** Each test begins with an empty cache. */
const pageSource = pagesOf({ inject: (nonce) => page.inject(nonce) });
const test = testWith({ pageSource }).extend('get', ({ site }) => {
  site.deps.cache.changed(TOPICS);
  page.inject = () => '';
  return (url = '/') => site.app.inject(url);
});

const hashOf = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('a page is cached with its policy until public data changes', async ({ site, get }) => {
  const before = await get();
  const count = Number(/count = (\d+)/.exec(before.body)?.[1]);
  expect(before.headers['cache-control']).toBe('public, no-cache');
  await site.employer();
  const after = await get();
  expect(after.body).toContain(`count = ${count + 1}`);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  for (const { body, headers } of [before, after, await get()]) {
    const [, script = ''] = /<script>(.*)<\/script>/.exec(body) ?? [];
    expect(headers['content-security-policy']).toContain(hashOf(script));
  }
});

test('a page rendered without some of its data is rendered again', async ({ site, get }) => {
  const { pool } = site.deps.database;
  await pool.query('alter table employers rename to lost');
  const poor = await get();
  expect([poor.statusCode, poor.body]).toEqual([200, expect.stringContaining('count = unknown')]);
  expect(poor.headers['cache-control']).toBe('no-store');
  await pool.query('alter table lost rename to employers');
  // The next few requests may still share the failed rendering.
  await expect.poll(async () => (await get()).body).toMatch(/count = \d/);
});

test('pages of the development server are not cached', async () => {
  const { app } = await newSite({ pageSource: pagesOf({ isHot: true }) });
  expect((await app.inject('/')).headers['cache-control']).toBe('no-store');
});

/** The script sources in a page's policy. */
const scriptSources = (policy: unknown) => /script-src ([^;]+)/.exec(String(policy))?.[1];

const SCRIPT = '<script>alert(1)</script>';
test.for([
  ['a bare script', SCRIPT],
  ['a guessed nonce', '<script nonce="AAAAAAAAAAAAAAAAAAAAAA">alert(1)</script>'],
  ['an attribute that ends early', `<a title="> nonce=" href="/">${SCRIPT}`],
  ['text that ends the JSON-LD', `<script type="application/ld+json">{}</script>${SCRIPT}`],
  ['capitals', SCRIPT.replaceAll('script', 'SCRIPT')],
  ['an unclosed comment', `<!-- <script> -->${SCRIPT}`],
] as const)('only scripts of the renderer may run, not: %s', async ([, markup], { get }) => {
  page.inject = () => markup;
  const { body, headers } = await get();
  expect(body).toContain(markup);
  const policy = headers['content-security-policy'];
  const [own = ''] = /count = \d+/.exec(body) ?? [];
  expect(scriptSources(policy)).toBe(`'self' ${hashOf(own)}`);
});

test('each rendering has its own nonce, and no sent page contains one', async ({ get }) => {
  const nonces: string[] = [];
  page.inject = (nonce) => {
    nonces.push(nonce);
    return `<link nonce="${nonce}" rel="preload"><script nonce="${nonce}" src="/a.js"></script>`;
  };
  const answers = [await get('/?f=1'), await get('/login'), await get('/signup')];
  expect(new Set(nonces).size).toBe(3);
  for (const { body, headers } of answers) {
    expect(body).toContain('<link rel="preload"><script src="/a.js"></script><script>count = ');
    for (const nonce of nonces) expect(body + JSON.stringify(headers)).not.toContain(nonce);
  }
});

test('does not send a page that would reveal its nonce', async ({ get }) => {
  page.inject = (nonce) => `<p>${nonce}</p>`;
  const { statusCode, body } = await get();
  expect([statusCode, JSON.parse(body).code]).toEqual([500, 'server_error']);
});
