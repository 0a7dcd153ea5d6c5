import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import type { Deps } from '#server/deps.ts';
import { listReviews } from '#server/features/reviews/service.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { compareEmployers, readInsights } from './insights.ts';
import { isEmployerDomain } from './mail-domains.ts';
import {
  currentId,
  customEmployer,
  employerFilterOptions,
  listEmployers,
  readEmployer,
} from './service.ts';

/** `/employers/…` (docs/api.md, "Endpoints"). */
export function employerRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  const { db } = deps;
  return async (app) => {
    route(
      app,
      employerEndpoints.list,
      { madeFrom: ['employers', 'reviews'] },
      async ({ query, url }) => {
        const { employers, count } = await listEmployers(deps, query);
        return toPage(url, query, count, employers);
      },
    );

    route(app, employerEndpoints.filterOptions, { madeFrom: ['employers'] }, async () =>
      employerFilterOptions(deps),
    );

    route(
      app,
      employerEndpoints.compare,
      { madeFrom: ['employers', 'reviews'] },
      async ({ query }) => compareEmployers(deps, query.ids),
    );

    route(app, employerEndpoints.mailDomain, { madeFrom: ['employers'] }, async ({ query }) => ({
      is_employer: await isEmployerDomain(deps, query.domain),
    }));

    route(app, employerEndpoints.add, { changes: ['employers'] }, async (request) =>
      customEmployer(deps, limits, callerOf(request), request.body.name),
    );

    route(
      app,
      employerEndpoints.read,
      { madeFrom: ['employers', 'reviews'] },
      async (request, reply) => {
        const id = await currentId(db, request.params.id);
        if (id !== request.params.id) return movedTo(id, request, reply);
        return readEmployer(db, id);
      },
    );

    route(
      app,
      employerEndpoints.insights,
      { madeFrom: ['employers', 'reviews'] },
      async (request, reply) => {
        const id = await currentId(db, request.params.id);
        if (id !== request.params.id) return movedTo(id, request, reply);
        return readInsights(deps, id);
      },
    );

    route(
      app,
      employerEndpoints.reviews,
      { madeFrom: ['employers', 'reviews', 'votes'] },
      async (request, reply) => {
        const { query, url } = request;
        const id = await currentId(db, request.params.id);
        if (id !== request.params.id) return movedTo(id, request, reply);
        const { reviews, count } = await listReviews(deps, { ...query, employer_id: id });
        return toPage(url, query, count, reviews);
      },
    );
  };
}

/** The answer: the same path of the employer that it has been merged into. */
function movedTo(id: number, request: FastifyRequest, reply: FastifyReply) {
  const location = request.url.replace(/(?<=\/employers\/)\d+/, String(id));
  reply.code(301).header('location', location);
  return { merged_into: id };
}
