import { renderToString } from 'react-dom/server';
import {
  createContext,
  type EntryContext,
  RouterContextProvider,
  ServerRouter,
} from 'react-router';
import type { VerificationMode } from '#contract/verification.ts';
import { PageHead } from './features/site/discovery/page-head.tsx';
import { handoffScript } from './handoff.ts';
import {
  loadNonce,
  loadVerificationMode,
  NonceContext,
  PageHeadContext,
  VerificationModeContext,
} from './lib/render-context.ts';
import { apiContext, type FetchApi } from './lib/server-api.ts';
import { TooOldScript } from './shell/too-old.tsx';
import { startAfterPaint } from './start-script.ts';

type TakeHtml = (html: string) => void;
const htmlContext = createContext<TakeHtml>();

interface Provided {
  fetchApi: FetchApi;
  nonce: string;
  verification: VerificationMode;
  takeHtml: TakeHtml;
}

/** The load context of a request. */
export function provide({
  fetchApi,
  nonce,
  verification,
  takeHtml,
}: Provided): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(apiContext, fetchApi);
  context.set(loadNonce, nonce);
  context.set(loadVerificationMode, verification);
  context.set(htmlContext, takeHtml);
  return context;
}

/**
 * Renders the whole page before sending it: its inline scripts are hashed for the content security
 * policy, and its bytes are cached.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (isPersonal(entryContext)) headers.set('Cache-Control', 'no-store');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const nonce = loadContext.get(loadNonce);
  const { serverHandoffStream: loaderData, ...context } = entryContext;
  const page = (
    <NonceContext value={nonce}>
      <VerificationModeContext value={loadContext.get(loadVerificationMode)}>
        <PageHeadContext
          value={
            <>
              <TooOldScript />
              {/* The first paint waits for the footer: while parts are missing, others would move. */}
              <link rel="expect" href="#footer" blocking="render" />
              <PageHead rendered={entryContext.staticHandlerContext} url={request.url} />
            </>
          }
        >
          <ServerRouter context={context} url={request.url} nonce={nonce} />
        </PageHeadContext>
      </VerificationModeContext>
    </NonceContext>
  );
  const script = loaderData ? await handoffScript(loaderData, nonce) : '';
  loadContext.get(htmlContext)(render(page, script));
  return new Response(null, { status, headers });
}

/**
 * Whether only the browser can load the page's data, because that needs the session or a link from
 * an email. The server then renders the page without its data. The URL may contain the link's
 * token.
 */
function isPersonal({ manifest, staticHandlerContext }: EntryContext): boolean {
  return staticHandlerContext.matches.some(({ route }) => {
    const known = manifest.routes[route.id];
    return known?.hasClientLoader && !known.hasLoader;
  });
}

const DOCTYPE = '<!DOCTYPE html>';
const END = '</body></html>';
/** React's marker for a part that it left for the browser to render. */
const NOT_RENDERED = '<!--$!-->';

/**
 * Renders a page to one string instead of a stream. So nothing in it may suspend: all loaders have
 * finished.
 *
 * @throws if a part of it fails or suspends
 */
function render(element: React.ReactNode, lastScript: string): string {
  const rendered = renderToString(element);
  if (rendered.includes(NOT_RENDERED)) throw new Error('a part of the page was not rendered');
  if (!rendered.endsWith(END)) throw new Error('the page is incomplete');
  const page = rendered.slice(0, -END.length);
  return DOCTYPE + startAfterPaint(page) + lastScript + END;
}
