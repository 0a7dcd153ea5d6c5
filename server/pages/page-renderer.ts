import { createHash, randomBytes } from 'node:crypto';
import fastq from 'fastq';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { VerificationMode } from '#contract/verification/verification.ts';
import { inThisRequest } from '#server/cache/write-position.ts';
import { unavailable } from '#server/errors/app-error.ts';
import { pagePolicy } from '#server/plugins/security-headers.ts';
import { TIME_OUTS } from '#server/time-outs.ts';

/** Rendering blocks the event loop, but a second page may wait for its data. */
const RENDERS_AT_ONCE = 2;
const RENDERS_WAITING = 30;

export type FetchApi = (path: string) => Promise<Pick<Response, 'status' | 'ok' | 'json'>>;

/** What web/entry.server.tsx exports besides what React Router requires. */
interface PagesEntry {
  provide(provided: ForLoaders & ForEntry): RouterContextProvider;
}

interface ForEntry {
  nonce: string;
  /** Receives the page as text. Its `Response` has no body, which would be encoded and copied. */
  takeHtml: (html: string) => void;
}

/** What the loaders of a page have access to. */
interface ForLoaders {
  fetchApi: FetchApi;
  verification: VerificationMode;
}

interface RenderedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

type Handle = (url: string, forLoaders: ForLoaders) => Promise<RenderedPage>;

/** Renders pages of a build. Pages in development have no content security policy. */
export function pageRenderer(
  build: ServerBuild,
  isHot: boolean,
  timeoutMs: number = TIME_OUTS.render.ms,
): Handle {
  const handle = createRequestHandler(build, isHot ? 'development' : 'production');
  const entry = build.entry.module as unknown as PagesEntry;
  const render = async (url: string, forLoaders: ForLoaders, signal: AbortSignal) => {
    const nonce = randomBytes(16).toString('base64url');
    // Without cookies and tokens, so pages are the same for everyone. HEAD is rendered like GET,
    // and Node omits the body.
    const request = new Request(url, { signal });
    let page: string | undefined;
    const takeHtml = (html: string) => {
      page = html;
    };
    const response = await untilAborted(
      signal,
      handle(request, entry.provide({ ...forLoaders, nonce, takeHtml })),
    );
    const { status, headers } = response;
    if (page === undefined) {
      return {
        status,
        headers,
        body: Buffer.from(await untilAborted(signal, response.arrayBuffer())),
      };
    }
    if (isHot) return { status, headers, body: Buffer.from(page) };
    const { body, hashes } = sealScripts(page, nonce);
    headers.set('content-security-policy', pagePolicy(hashes));
    return { status, headers, body };
  };
  return async (url, forLoaders) => {
    // Not AbortSignal.timeout, which also aborts finished renderings, with an error and its stack.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      return await render(url, forLoaders, timeout.signal);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(unavailable()), { once: true });
  const result = await Promise.race([work, aborted]).catch((error: unknown) => {
    throw signal.aborted ? unavailable() : error;
  });
  if (signal.aborted) throw unavailable();
  return result;
}

/** Limits concurrent rendering, queues some requests, and rejects the rest with `unavailable`. */
export function renderQueue() {
  const queue = fastq.promise((render: () => Promise<RenderedPage>) => render(), RENDERS_AT_ONCE);
  return {
    async enqueue(render: () => Promise<RenderedPage>): Promise<RenderedPage> {
      if (queue.length() >= RENDERS_WAITING) throw unavailable();
      return queue.push(inThisRequest(render));
    },
    length: () => queue.length(),
  };
}

/**
 * Removes the nonces from a rendered page, and returns the hashes (`sha256-…`; CSP Level 3, section
 * 8.3) of the inline scripts that had one. So pages are cacheable, and the nonce never leaves the
 * server. The renderer escapes ">" in attributes.
 */
function sealScripts(html: string, nonce: string): { body: Buffer; hashes: string[] } {
  // As bytes: cutting and joining a long text takes several times as long.
  const page = Buffer.from(html);
  const attribute = Buffer.from(` nonce="${nonce}"`);
  const hashes = new Set<string>();
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = page.indexOf(attribute); at !== -1; at = page.indexOf(attribute, start)) {
    parts.push(page.subarray(start, at));
    start = at + attribute.length;
    const script = contentOfScript(page, at);
    if (script) hashes.add(`sha256-${createHash('sha256').update(script).digest('base64')}`);
  }
  const body = Buffer.concat([...parts, page.subarray(start)]);
  if (body.includes(nonce)) throw new Error('a page contains its nonce');
  return { body, hashes: [...hashes] };
}

/** The content of the element whose opening tag contains `at`, if it is a script with content. */
function contentOfScript(page: Buffer, at: number): Buffer | null {
  const tag = page.lastIndexOf('<', at);
  if (page.toString('latin1', tag, tag + '<script'.length) !== '<script') return null;
  const from = page.indexOf('>', at) + 1;
  const to = page.indexOf('</script>', from);
  return to > from ? page.subarray(from, to) : null;
}
