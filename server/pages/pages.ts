import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastq from 'fastq';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { PAGE_QUERIES } from '#contract/page-queries.ts';
import type { VerificationMode } from '#contract/verification/verification.ts';
import { inThisRequest } from '#server/cache/write-position.ts';
import type { Config } from '#server/config/config.ts';
import { onItsOwn } from '#server/db/replicas.ts';
import { TOPICS } from '#server/db/topics.ts';
import { unavailable } from '#server/errors/app-error.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import { sendProblem, toAppError } from '#server/plugins/problem-details.ts';
import { innerCall } from '#server/plugins/request-log.ts';
import { contentPolicy, pagePolicy } from '#server/plugins/security-headers.ts';
import { RETRY_AFTER_S, TIME_OUTS } from '#server/time-outs.ts';
import { traced } from '#server/tracing/traced.ts';

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
function renderQueue() {
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

const STYLE = `:root{color-scheme:light dark}
body{margin:0;padding:4rem 1.5rem;font:1.125rem/1.6 system-ui,sans-serif;
background:light-dark(#f8f8f4,#111715);color:light-dark(#1c2422,#e6ebe8)}
main{max-width:36rem;margin:0 auto}
h1{font-size:1.75rem;line-height:1.25}
a{color:light-dark(#0b5c4d,#7fd1bd)}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = contentPolicy({ 'style-src': `'sha256-${STYLE_HASH}'` });

const page = (text: string) => `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This page could not be loaded · Curbside</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>This page could not be loaded</h1>
<p>${text}</p>
<p><a href="">Try again</a></p>
</main>
</body>
</html>
`;

/**
 * The error handler of pages: a self-contained HTML page for browsers, and problem details for
 * other clients.
 */
function pageProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const appError = toAppError(error);
  if (appError.code === 'server_error') request.log.error({ err: error }, 'request failed');
  const { retryAfterSeconds } = appError;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (!request.headers.accept?.includes('text/html')) return sendProblem(request, reply, appError);
  return reply
    .code(appError.status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(page(appError.message));
}

const BUILD = path.resolve(import.meta.dirname, '../../build');

/** The source of pages: the production build, or Vite in development. */
export interface PageSource {
  load(): Promise<ServerBuild>;
  serveFiles(app: FastifyInstance): Promise<void>;
  /**
   * Whether pages may change while the server runs. They are then loaded for each request, without
   * a content security policy.
   */
  readonly hot: boolean;
}

export class BuildMissing extends OperatorError {}

/** The output of `npm run build`. */
export const productionBuild: PageSource = {
  hot: false,
  serveFiles: buildFiles,
  /** @throws BuildMissing */
  async load() {
    const file = path.join(BUILD, 'server/index.js');
    if (!existsSync(file)) throw new BuildMissing(`no pages in ${BUILD}: run npm run build`);
    return import(pathToFileURL(file).href);
  },
};

/** Serves the files of the build, precompressed. */
async function buildFiles(app: FastifyInstance) {
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    await files.register(fastifyStatic, {
      root: path.join(BUILD, 'client'),
      wildcard: false,
      preCompressed: true,
      index: false,
      // Every page loads a dozen files, so omit headers that none of them needs.
      acceptRanges: false,
      lastModified: false,
      cacheControl: false,
      setHeaders: (reply, file) => {
        // File names under assets/ contain a hash, so the files never change.
        const age = file.includes('/assets/') ? 'max-age=31536000, immutable' : 'max-age=3600';
        reply.header('cache-control', `public, ${age}`);
        // Other sites show it in previews of links.
        if (file.endsWith('/preview.png')) {
          reply.header('cross-origin-resource-policy', 'cross-origin');
        }
      },
    });
  });
}

/** Unknown paths, and the pages' data requests. */
const ANY = '/*';

/** Pages that only show public data. All others lead to account actions. */
const FOR_READERS = [
  '/',
  '/employers',
  '/employers/:employerId',
  '/compare',
  '/reviews',
  '/reviews/:reviewId',
  '/how-it-works',
  '/guidelines',
  '/transparency',
  '/terms-of-use',
  '/privacy-policy',
];

/** Renders the pages. Their loaders call the API in the same process. */
export async function pages(
  app: FastifyInstance,
  source: PageSource,
  { publicUrl, verification }: Pick<Config, 'publicUrl' | 'verification'>,
  metrics: Metrics,
) {
  await source.serveFiles(app);
  const queue = renderQueue();
  metrics.observe(() => ({ curbside_render_queue_length: [{ value: queue.length() }] }));
  let renderer: Promise<ReturnType<typeof pageRenderer>> | undefined;
  const prepare = async () => pageRenderer(await source.load(), source.hot);

  for (const url of [...Object.keys(PAGE_QUERIES), ANY]) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: {
        access: 'public',
        isCatchAll: url === ANY,
        precedesActs: !FOR_READERS.includes(url),
        // Only React Router knows which data a page reads, so any change invalidates all pages.
        ...(!source.hot && { madeFrom: TOPICS }),
      },
      errorHandler: pageProblem,
      async handler(request, reply) {
        if (source.hot || !renderer) renderer = prepare();
        const render = await renderer;
        let isComplete = true;
        const fetchApi: FetchApi = async (path) => {
          const answer = await fetchFrom(app, path);
          if (answer.status >= 500) isComplete = false;
          return answer;
        };
        // Uses the configured URL instead of the Host header, because pages contain links to
        // themselves.
        const pageUrl = publicUrl + request.url;
        const page = await queue.enqueue(() =>
          traced('render', () => render(pageUrl, { fetchApi, verification })),
        );
        reply.code(page.status);
        for (const [name, value] of page.headers) reply.header(name, value);
        if (source.hot) reply.removeHeader('content-security-policy');
        // An incomplete page must not be cached.
        if (!isComplete) reply.header('cache-control', 'no-store');
        if (!isComplete && page.status >= 500) reply.header('retry-after', RETRY_AFTER_S);
        return page.body;
      },
    });
  }
}

/** Not a `Response`: a loader reads the body once, and needs neither a stream nor headers. */
async function fetchFrom(app: FastifyInstance, url: string): ReturnType<FetchApi> {
  const { statusCode: status, payload } = await innerCall(() =>
    onItsOwn(() => app.inject({ method: 'GET', url })),
  );
  return { status, ok: status >= 200 && status < 300, json: async () => JSON.parse(payload) };
}
