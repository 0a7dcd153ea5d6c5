import type { FastifyPluginAsync } from 'fastify';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { curateEmployer, listSubmitted, mergeEmployers } from './curation.ts';

const CURATION = { changes: ['employers', 'reviews', 'votes'] } as const;

/** What administrators do for the directory: nothing in it is about a reader or an author. */
export function curationRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, employerEndpoints.listSubmitted, async ({ query, url }) => {
      const { results, count } = await listSubmitted(deps.db, query);
      return toPage(url, query, count, results);
    });

    route(app, employerEndpoints.curate, CURATION, async (request) =>
      curateEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.merge, CURATION, async (request) =>
      mergeEmployers(deps, callerOf(request).userId, request.params.id, request.body.into),
    );
  };
}
