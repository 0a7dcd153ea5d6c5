import { createContext, RouterContextProvider, type ServerBuild } from 'react-router';
import type { FetchApi, PageSource } from '#server/pages/pages.ts';

const apiContext = createContext<FetchApi>();
const nonceContext = createContext<string>();
const htmlContext = createContext<(html: string) => void>();

interface Provided {
  fetchApi: FetchApi;
  nonce: string;
  takeHtml: (html: string) => void;
}

export interface PagesDouble {
  isHot: boolean;
  /** Whether rendering fails if the number of employers cannot be loaded. */
  needsData: boolean;
  /** Injects markup that contains the page's nonce, which an attacker could not know. */
  inject: (nonce: string) => string;
  /** Each rendering waits for the promise. */
  untilLoaded: (url: string) => Promise<unknown>;
}

/** Like web/entry.server.tsx, but with one route: a page that shows the number of employers. */
export function pagesOf({
  isHot = false,
  needsData = false,
  inject = () => '',
  untilLoaded = async () => {},
}: Partial<PagesDouble> = {}): PageSource {
  const root = {
    async loader({
      context,
      request,
    }: {
      context: Readonly<RouterContextProvider>;
      request: Request;
    }) {
      await untilLoaded(request.url);
      const answer = await context.get(apiContext)('/api/employers/');
      if (needsData && !answer.ok) throw new Response(null, { status: answer.status });
      return answer.ok ? (await answer.json()).count : 'unknown';
    },
    default: () => null,
  };
  const entry = {
    default: async (
      request: Request,
      status: number,
      headers: Headers,
      { staticHandlerContext }: { staticHandlerContext: { loaderData: { root: unknown } } },
      context: RouterContextProvider,
    ) => {
      headers.set('Content-Type', 'text/html; charset=utf-8');
      const nonce = context.get(nonceContext);
      const { root: count } = staticHandlerContext.loaderData;
      const html = `<p>${request.url}</p>${inject(nonce)}<script nonce="${nonce}">count = ${count}</script>`;
      context.get(htmlContext)(html);
      return new Response(null, { status, headers });
    },
    provide({ fetchApi, nonce, takeHtml }: Provided) {
      const context = new RouterContextProvider();
      context.set(apiContext, fetchApi);
      context.set(nonceContext, nonce);
      context.set(htmlContext, takeHtml);
      return context;
    },
  };
  const build = {
    entry: { module: entry },
    routes: { root: { id: 'root', path: '*', module: root } },
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
