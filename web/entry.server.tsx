import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  createContext,
  type EntryContext,
  RouterContextProvider,
  ServerRouter,
} from 'react-router';
import type { VerificationMode } from '#contract/verification.ts';
import { PageHead } from './features/discovery/page-head.tsx';
import {
  loadNonce,
  loadVerificationMode,
  NonceContext,
  PageHeadContext,
  VerificationModeContext,
} from './lib/render-context.ts';
import { apiContext, type FetchApi } from './lib/server-api.ts';
import { scriptsAfterPaint } from './scripts-after-paint.ts';

type TakeHtml = (html: string) => void;
const htmlContext = createContext<TakeHtml>();

interface Provided {
  fetchApi: FetchApi;
  nonce: string;
  verification: VerificationMode;
  takeHtml: TakeHtml;
}

/** The load context of one request. */
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
  const page = (
    <NonceContext value={nonce}>
      <VerificationModeContext value={loadContext.get(loadVerificationMode)}>
        <PageHeadContext
          value={<PageHead rendered={entryContext.staticHandlerContext} url={request.url} />}
        >
          <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
        </PageHeadContext>
      </VerificationModeContext>
    </NonceContext>
  );
  loadContext.get(htmlContext)(await render(page, nonce, request.signal));
  return new Response(null, { status, headers });
}

/**
 * Whether only the browser can load the page's data, since it has the session or a link from an
 * email. The server renders just the frame. The URL may contain the link's token.
 */
function isPersonal({ manifest, staticHandlerContext }: EntryContext): boolean {
  return staticHandlerContext.matches.some(({ route }) => {
    const known = manifest.routes[route.id];
    return known?.hasClientLoader && !known.hasLoader;
  });
}

/** The signal aborts a rendering that takes too long. */
function render(page: React.ReactNode, nonce: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Otherwise, React inserts large Suspense boundaries with an inline script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () =>
        pipe(collect((html) => resolve(import.meta.env.PROD ? scriptsAfterPaint(html) : html))),
      onShellError: reject,
      onError: reject,
    });
    signal.addEventListener('abort', () => abort(signal.reason), { once: true });
  });
}

/** Decodes the page once, when all of it is written: a text for each chunk would take much longer. */
function collect(onText: (text: string) => void): Writable {
  const chunks: Uint8Array[] = [];
  return new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      onText(Buffer.concat(chunks).toString());
      done();
    },
  });
}
