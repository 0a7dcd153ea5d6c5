import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import { PAGE_QUERIES } from '#contract/page-queries.ts';
import { TOPICS } from '#server/cache/topics.ts';
import type { Config } from '#server/config.ts';
import { pageProblem } from './page-problem.ts';
import { type FetchApi, pageRenderer, renderQueue } from './page-renderer.ts';

const BUILD = path.resolve(import.meta.dirname, '../../build');

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

/** What answers the addresses that no page has, and those of the pages' data. */
const ANY = '/*';

/** Renders the pages. Their loaders read the API in this process, as anyone might over HTTP. */
export async function pages(
  app: FastifyInstance,
  source: PageSource,
  { publicUrl, verification }: Pick<Config, 'publicUrl' | 'verification'>,
) {
  await source.serveFiles(app);
  const inTurn = renderQueue();
  let renderer: Promise<ReturnType<typeof pageRenderer>> | undefined;
  const prepare = async () => pageRenderer(await source.load(), source.hot);

  for (const url of [...Object.keys(PAGE_QUERIES), ANY]) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: {
        access: 'public',
        isCatchAll: url === ANY,
        // Which page reads what is React Router's to know: any change makes them all anew.
        ...(!source.hot && { madeFrom: TOPICS }),
      },
      errorHandler: pageProblem,
      async handler(request, reply) {
        if (source.hot || !renderer) renderer = prepare();
        const render = await renderer;
        let isWhole = true;
        const fetchApi: FetchApi = async (path) => {
          const answer = await fetchFrom(app, path);
          if (answer.status >= 500) isWhole = false;
          return answer;
        };
        // Not by the Host header: addresses that pages give of themselves must be the site's own.
        const page = await inTurn(() =>
          render(publicUrl + request.url, { fetchApi, verification }),
        );
        reply.code(page.status);
        for (const [name, value] of page.headers) reply.header(name, value);
        if (source.hot) reply.removeHeader('content-security-policy');
        // A page may do without what failed, and is not to stay like that.
        if (!isWhole) reply.header('cache-control', 'no-store');
        return page.body;
      },
    });
  }
}

async function fetchFrom(app: FastifyInstance, url: string): Promise<Response> {
  const { statusCode, rawPayload, headers } = await app.inject({ method: 'GET', url });
  return new Response(new Uint8Array(rawPayload), {
    status: statusCode,
    headers: { 'content-type': String(headers['content-type']) },
  });
}
