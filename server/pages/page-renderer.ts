import { randomBytes } from 'node:crypto';
import fastq from 'fastq';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { VerificationMode } from '#contract/verification.ts';
import { unavailable } from '#server/app-error.ts';
import { pagePolicy } from '#server/plugins/security-headers.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { sealScripts } from './page-scripts.ts';

/** Rendering takes the one thread that serves everyone; a second page may wait for its data. */
const RENDERS_AT_ONCE = 2;
const RENDERS_WAITING = 30;

export type FetchApi = (path: string) => Promise<Response>;

/** What web/entry.server.tsx exports beside what React Router asks of it. */
interface PagesEntry {
  provide(provided: ForLoaders & { nonce: string }): RouterContextProvider;
}

/** What the loaders of a page can get at. */
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

/** Renders pages of a build. What is hot is bare of a policy. */
export function pageRenderer(
  build: ServerBuild,
  isHot: boolean,
  timeoutMs: number = TIME_OUTS.render.ms,
): Handle {
  const handle = createRequestHandler(build, isHot ? 'development' : 'production');
  const entry = build.entry.module as unknown as PagesEntry;
  return async (url, forLoaders) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const nonce = randomBytes(16).toString('base64url');
    // Pages know nobody: no cookie or token of the visitor's reaches them.
    // HEAD is answered as GET is, policy and all; Node leaves the body out.
    const request = new Request(url, { signal });
    const response = await untilAborted(
      signal,
      handle(request, entry.provide({ ...forLoaders, nonce })),
    );
    const { status, headers } = response;
    const bytes = Buffer.from(await untilAborted(signal, response.arrayBuffer()));
    if (isHot || !headers.get('content-type')?.startsWith('text/html')) {
      return { status, headers, body: bytes };
    }
    const { html, hashes } = sealScripts(bytes.toString(), nonce);
    headers.set('content-security-policy', pagePolicy(hashes));
    return { status, headers, body: Buffer.from(html) };
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

/** Runs few renderings at once, lets some wait, and refuses the rest with `unavailable`. */
export function renderQueue() {
  const queue = fastq.promise((render: () => Promise<RenderedPage>) => render(), RENDERS_AT_ONCE);
  return async (render: () => Promise<RenderedPage>): Promise<RenderedPage> => {
    if (queue.length() >= RENDERS_WAITING) throw unavailable();
    return queue.push(render);
  };
}
