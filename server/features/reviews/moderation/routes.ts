import type { FastifyPluginAsync } from 'fastify';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { keepReview, listModerated, removeReported, restoreReview } from './service.ts';

const DECISION = { changes: ['reviews', 'votes'] } as const;

/** What moderators do. None of it shows who wrote a review, or who reported it. */
export function moderationRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, moderationEndpoints.listReports, async ({ query, url }) => {
      const { reviews, count } = await listModerated(deps, query);
      return toPage(url, query, count, reviews);
    });

    route(app, moderationEndpoints.remove, DECISION, async (request) =>
      removeReported(deps, callerOf(request).userId, request.params.id, request.body.reason),
    );

    route(app, moderationEndpoints.restore, DECISION, async (request) =>
      restoreReview(deps, callerOf(request).userId, request.params.id),
    );

    route(app, moderationEndpoints.keep, DECISION, async (request) =>
      keepReview(deps, callerOf(request).userId, request.params.id),
    );
  };
}
