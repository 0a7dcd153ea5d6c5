import { createContext, RouterContextProvider, type ServerBuild } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import { inlineScriptHashes, type PageSource } from './pages.ts';

type AskApi = (path: string) => Promise<Response>;
const apiContext = createContext<AskApi>();

/** As web/entry.server.tsx and one route would be: a page that says how many employers there are. */
function pagesOf(isHot: boolean): PageSource {
  const root = {
    async loader({ context }: { context: Readonly<RouterContextProvider> }) {
      const answer = await context.get(apiContext)('/api/employers/');
      return answer.ok ? (await answer.json()).count : 'unknown';
    },
    default: () => null,
  };
  const entry = {
    default: async (
      _request: Request,
      status: number,
      headers: Headers,
      { staticHandlerContext }: { staticHandlerContext: { loaderData: { root: unknown } } },
    ) => {
      headers.set('Content-Type', 'text/html; charset=utf-8');
      const html = `<script>count = ${staticHandlerContext.loaderData.root}</script>`;
      return new Response(html, { status, headers });
    },
    provideApi(askApi: AskApi) {
      const context = new RouterContextProvider();
      context.set(apiContext, askApi);
      return context;
    },
  };
  const build = {
    entry: { module: entry },
    routes: { root: { id: 'root', path: '', module: root } },
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
    basename: '/',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  };
  return {
    hot: isHot,
    load: async () => build as unknown as ServerBuild,
    serveFiles: async () => {},
  };
}

async function open({ isHot = false } = {}) {
  const server = await buildTestApp({ pageSource: pagesOf(isHot) });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, get: () => server.app.inject('/') };
}

test('a page is kept until what the public reads changes, with the policy that fits it', async () => {
  const { server, get } = await open();
  const before = await get();
  expect(before.body).toContain('count = 0');
  expect(before.headers['cache-control']).toBe('public, no-cache');
  await newEmployer(server);
  const after = await get();
  expect(after.body).toContain('count = 1');
  expect(after.headers.etag).not.toBe(before.headers.etag);
  for (const { body, headers } of [before, after, await get()]) {
    const [hash] = inlineScriptHashes(body);
    expect(headers['content-security-policy']).toContain(`'${hash}'`);
  }
});

test('a page that had to do without something is made again', async () => {
  const { server, get } = await open();
  await server.deps.database.pool.query('alter table employers rename to lost');
  const poor = await get();
  expect([poor.statusCode, poor.body]).toEqual([200, expect.stringContaining('count = unknown')]);
  expect(poor.headers['cache-control']).toBe('no-store');
  await server.deps.database.pool.query('alter table lost rename to employers');
  expect((await get()).body).toContain('count = 0');
});

test('pages that are being worked on are not kept', async () => {
  const { get } = await open({ isHot: true });
  expect((await get()).headers['cache-control']).toBe('no-store');
});
