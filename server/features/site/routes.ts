import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { EmployerId, MergedEmployer } from '#contract/employers/employers.ts';
import { discoveryPaths, FeedQuery, SitemapPeriod } from '#contract/site/discovery.ts';
import type { Topic } from '#server/db/topics.ts';
import type { Deps } from '#server/deps.ts';
import { currentId, readEmployer } from '#server/features/employers/queries.ts';
import { refusals } from '#server/plugins/route.ts';
import { employerFeed, reviewsFeed } from './feed.ts';
import { sitemapEmployers, sitemapIndex, sitemapPages, sitemapReviews } from './sitemap.ts';

/**
 * For crawlers (RFC 9309). Pages that must not be indexed say so themselves: a crawler could not
 * see that on a page it may not load. Only URLs that cost a request per employer and show nothing
 * are disallowed.
 */
const robotsTxt = (publicUrl: string): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /create-review',
    '',
    `Sitemap: ${publicUrl}${discoveryPaths.sitemap}`,
    '',
  ].join('\n');

const nothing = z.strictObject({});
const byId = z.strictObject({ id: EmployerId });
const byPart = z.strictObject({ part: EmployerId });
const byPeriod = z.strictObject({ period: SitemapPeriod });

const XML = 'application/xml; charset=utf-8';
const ATOM = 'application/atom+xml; charset=utf-8';

interface File<Params, Query> {
  readonly type: string;
  readonly madeFrom: readonly Topic[];
  readonly params?: z.ZodMiniType<Params>;
  readonly query?: z.ZodMiniType<Query>;
}

/** What search engines and feed readers load (docs/product/discovery.md). */
export function discoveryRoutes(deps: Deps): FastifyPluginAsync {
  const { db, config } = deps;
  return async (app) => {
    const robots = robotsTxt(config.publicUrl);
    const { schema } = schemaOf({ type: 'text/plain', madeFrom: [] });
    app.get('/robots.txt', { config: { access: 'public' }, schema }, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8');
      return robots;
    });

    const listed: readonly Topic[] = ['employers', 'reviews'];
    serve(app, discoveryPaths.sitemap, { type: XML, madeFrom: listed }, () => sitemapIndex(deps));
    serve(app, '/sitemaps/pages.xml', { type: XML, madeFrom: ['reviews'] }, () =>
      sitemapPages(deps),
    );
    serve(
      app,
      '/sitemaps/employers/:part.xml',
      { type: XML, madeFrom: listed, params: byPart },
      ({ params }) => sitemapEmployers(deps, params.part),
    );
    serve(
      app,
      '/sitemaps/reviews/:period.xml',
      { type: XML, madeFrom: ['reviews'], params: byPeriod },
      ({ params }) => sitemapReviews(deps, params.period),
    );

    serve(
      app,
      discoveryPaths.reviewsFeed,
      { type: ATOM, madeFrom: ['reviews'], query: FeedQuery },
      ({ query }) => reviewsFeed(deps, query),
    );
    serve(
      app,
      discoveryPaths.employerFeed(':id'),
      { type: ATOM, madeFrom: listed, params: byId },
      async ({ params }, reply) => {
        const id = await currentId(db, params.id);
        if (id !== params.id) return movedTo(reply, id, discoveryPaths.employerFeed(id));
        return employerFeed(deps, await readEmployer(db, id));
      },
    );
  };
}

/** Registers a file that is the same for everyone. Like the pages, it is not part of the API. */
function serve<Params, Query>(
  app: FastifyInstance,
  url: string,
  file: File<Params, Query>,
  make: (
    request: FastifyRequest<{ Params: Params; Querystring: Query }>,
    reply: FastifyReply,
  ) => Promise<Buffer | MergedEmployer>,
) {
  app.get<{ Params: Params; Querystring: Query }>(url, {
    config: { access: 'public', madeFrom: file.madeFrom },
    ...schemaOf(file),
    async handler(request, reply) {
      const made = await make(request, reply);
      // It contains nothing that the pages do not have.
      if (file.type === ATOM) reply.header('x-robots-tag', 'noindex');
      if (Buffer.isBuffer(made)) reply.type(file.type);
      return made;
    },
  });
}

function schemaOf<Params, Query>({ params, query, madeFrom: _, type: __ }: File<Params, Query>) {
  return {
    schema: {
      hide: true,
      ...(params && { params }),
      querystring: query ?? nothing,
      response: { 200: z.string(), 301: MergedEmployer, ...refusals(400, 404) },
    },
  };
}

/** Redirects to the same file of the employer that this one was merged into. */
function movedTo(reply: FastifyReply, id: number, location: string): MergedEmployer {
  reply.code(301).header('location', location);
  return { merged_into: id };
}
