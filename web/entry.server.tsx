import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, RouterContextProvider, ServerRouter } from 'react-router';
import { RENDER_TIMEOUT_MS } from '#contract/limits.ts';
import { apiContext, type FetchApi } from './lib/server-api.ts';

/** The load context of one request: how its loaders reach the API. */
export function provideApi(fetchApi: FetchApi): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(apiContext, fetchApi);
  return context;
}

/**
 * The whole page at once: the hashes of its inline scripts go into the content security policy,
 * and its bytes into the cache.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (isPersonal(entryContext)) headers.set('Cache-Control', 'no-store');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const html = await render(<ServerRouter context={entryContext} url={request.url} />);
  return new Response(html, { status, headers });
}

/**
 * A page that only the browser can load, since it has the session or the link that was mailed. What
 * the server makes is its frame; the address may hold the link's token.
 */
function isPersonal({ manifest, staticHandlerContext }: EntryContext): boolean {
  return staticHandlerContext.matches.some(({ route }) => {
    const known = manifest.routes[route.id];
    return known?.hasClientLoader && !known.hasLoader;
  });
}

function render(page: React.ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        parts.push(chunk);
        done();
      },
      final(done) {
        resolve(Buffer.concat(parts).toString());
        done();
      },
    });
    const fail = (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    };
    const { pipe, abort } = renderToPipeableStream(page, {
      // Otherwise a finished boundary that is large is moved in by an inline script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        clearTimeout(timer);
        pipe(sink);
      },
      onShellError: fail,
      onError: fail,
    });
    const timer = setTimeout(abort, RENDER_TIMEOUT_MS);
  });
}
