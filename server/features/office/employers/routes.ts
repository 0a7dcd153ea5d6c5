import type { FastifyPluginAsync } from 'fastify';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { mergeEmployers, previewMerge, unmergeEmployer } from './merges.ts';
import { rejectEmployer, unrejectEmployer } from './rejections.ts';

/** Decisions about employers that also move or hide reviews. */
export function employerDecisionRoutes(deps: Deps): FastifyPluginAsync {
  const curation = { changes: ['employers', 'reviews', 'votes'] } as const;
  return async (app) => {
    route(app, employerEndpoints.unmerge, curation, async (request) =>
      unmergeEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.reject, curation, async (request) =>
      rejectEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.unreject, curation, async (request) =>
      unrejectEmployer(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, employerEndpoints.previewMerge, async ({ params, query }) =>
      previewMerge(deps.db, params.id, query.into),
    );

    route(app, employerEndpoints.merge, curation, async (request) =>
      mergeEmployers(deps, callerOf(request).userId, request.params.id, request.body),
    );
  };
}
