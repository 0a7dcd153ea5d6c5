import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { Config } from '#server/config.ts';
import { TOPICS } from './fresh-cache.ts';
import { pagePolicy } from './security-headers.ts';

const BUILD = path.resolve(import.meta.dirname, '../../build');

type AskApi = (path: string) => Promise<Response>;

/** What web/entry.server.tsx exports beside what React Router asks of it. */
interface PagesEntry {
  provideApi(askApi: AskApi): RouterContextProvider;
}

/** Where the pages come from: the production build, or Vite when developing. */
export interface PageSource {
  load(): Promise<ServerBuild>;
  serveFiles(app: FastifyInstance): Promise<void>;
  /** Pages that change while the server runs: loaded for each request, and bare of a policy. */
  readonly hot: boolean;
}

export class BuildMissing extends Error {}

/** What `npm run build` made. */
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

/** The files of the build, in the compressed forms that the build made. */
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
      cacheControl: false,
      setHeaders: (reply, file) => {
        // Names under assets/ carry a hash of the content: they never change.
        const age = file.includes('/assets/') ? 'max-age=31536000, immutable' : 'max-age=3600';
        reply.header('cache-control', `public, ${age}`);
      },
    });
  });
}

/** Renders the pages. Their loaders read the API in this process, as anyone might over HTTP. */
export async function pages(
  app: FastifyInstance,
  source: PageSource,
  { publicUrl }: Pick<Config, 'publicUrl'>,
) {
  await source.serveFiles(app);
  let cached: Promise<(request: Request, askApi: AskApi) => Promise<Response>> | undefined;
  const prepare = async () => {
    const build = await source.load();
    const handle = createRequestHandler(build, source.hot ? 'development' : 'production');
    const entry = build.entry.module as unknown as PagesEntry;
    return (request: Request, askApi: AskApi) => handle(request, entry.provideApi(askApi));
  };

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    // Which page reads what is React Router's to know: any change makes them all anew.
    config: { access: 'public', ...(!source.hot && { madeFrom: TOPICS }) },
    async handler(request, reply) {
      if (source.hot || !cached) cached = prepare();
      let isWhole = true;
      const askApi: AskApi = async (url) => {
        const answer = await fetchApi(app, url);
        if (answer.status >= 500) isWhole = false;
        return answer;
      };
      const response = await (await cached)(toWebRequest(request, publicUrl), askApi);
      const body = Buffer.from(await response.arrayBuffer());
      reply.code(response.status);
      for (const [name, value] of response.headers) reply.header(name, value);
      if (source.hot) reply.removeHeader('content-security-policy');
      else if (response.headers.get('content-type')?.startsWith('text/html')) {
        reply.header('content-security-policy', pagePolicy(inlineScriptHashes(body.toString())));
      }
      // A page may do without what failed, and is not to stay like that.
      if (!isWhole) reply.header('cache-control', 'no-store');
      return body;
    },
  });
}

async function fetchApi(app: FastifyInstance, url: string): Promise<Response> {
  const { statusCode, rawPayload, headers } = await app.inject({ method: 'GET', url });
  return new Response(new Uint8Array(rawPayload), {
    status: statusCode,
    headers: { 'content-type': String(headers['content-type']) },
  });
}

function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  // Not by the Host header: addresses that pages give of themselves must be the site's own.
  const url = new URL(publicUrl + request.url);
  // Pages know nobody: no cookie or token of the visitor's reaches them.
  // HEAD is answered as GET is, policy and all; Node leaves the body out.
  return new Request(url);
}

/** `sha256-…` of each inline script (CSP Level 3, section 8.3), so that pages stay cacheable. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', script = ''] of html.matchAll(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  )) {
    if (/\ssrc=/.test(attributes) || script === '') continue;
    hashes.add(`sha256-${createHash('sha256').update(script).digest('base64')}`);
  }
  return [...hashes];
}
