import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import { type PagesDouble, pagesOf } from '#server/testing/page-source.ts';

async function open(double: Partial<PagesDouble> = {}) {
  const server = await buildTestApp({ pageSource: pagesOf(double) });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, get: (url = '/') => server.app.inject(url) };
}

const hashOf = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('a page is cached with its policy until public data changes', async () => {
  const { server, get } = await open();
  const before = await get();
  expect(before.body).toContain('count = 0');
  expect(before.headers['cache-control']).toBe('public, no-cache');
  await newEmployer(server);
  const after = await get();
  expect(after.body).toContain('count = 1');
  expect(after.headers.etag).not.toBe(before.headers.etag);
  for (const { body, headers } of [before, after, await get()]) {
    const [, script = ''] = /<script>(.*)<\/script>/.exec(body) ?? [];
    expect(headers['content-security-policy']).toContain(hashOf(script));
  }
});

test('a page rendered without some of its data is rendered again', async () => {
  const { server, get } = await open();
  await server.deps.database.pool.query('alter table employers rename to lost');
  const poor = await get();
  expect([poor.statusCode, poor.body]).toEqual([200, expect.stringContaining('count = unknown')]);
  expect(poor.headers['cache-control']).toBe('no-store');
  await server.deps.database.pool.query('alter table lost rename to employers');
  // The next few requests may still share the failed rendering.
  await expect.poll(async () => (await get()).body).toContain('count = 0');
});

test('pages of the development server are not cached', async () => {
  const { get } = await open({ isHot: true });
  expect((await get()).headers['cache-control']).toBe('no-store');
});

/** The script sources in a page's policy. */
const scriptSources = (policy: unknown) => /script-src ([^;]+)/.exec(String(policy))?.[1];

test.each([
  ['a bare script', '<script>alert(1)</script>'],
  ['a guessed nonce', '<script nonce="AAAAAAAAAAAAAAAAAAAAAA">alert(1)</script>'],
  ['an attribute that ends early', '<a title="> nonce=" href="/"><script>alert(1)</script>'],
  [
    'text that ends the JSON-LD',
    '<script type="application/ld+json">{}</script><script>alert(1)</script>',
  ],
  ['capitals', '<SCRIPT>alert(1)</SCRIPT>'],
  ['an unclosed comment', '<!-- <script> --><script>alert(1)</script>'],
])('only scripts written by the renderer may run, not: %s', async (_, markup) => {
  const { get } = await open({ inject: () => markup });
  const { body, headers } = await get();
  expect(body).toContain(markup);
  const policy = headers['content-security-policy'];
  expect(scriptSources(policy)).toBe(`'self' ${hashOf('count = 0')}`);
});

test('each rendering has its own nonce, and no sent page contains one', async () => {
  const nonces: string[] = [];
  const { get } = await open({
    inject(nonce) {
      nonces.push(nonce);
      return `<link nonce="${nonce}" rel="preload"><script nonce="${nonce}" src="/a.js"></script>`;
    },
  });
  const answers = [await get('/?f=1'), await get('/login'), await get('/signup')];
  expect(new Set(nonces).size).toBe(3);
  for (const { body, headers } of answers) {
    expect(body).toContain('<link rel="preload"><script src="/a.js"></script><script>count = 0<');
    for (const nonce of nonces) expect(body + JSON.stringify(headers)).not.toContain(nonce);
  }
});

test('does not send a page that would reveal its nonce', async () => {
  const { get } = await open({ inject: (nonce) => `<p>${nonce}</p>` });
  const { statusCode, body } = await get();
  expect([statusCode, JSON.parse(body).code]).toEqual([500, 'server_error']);
});
