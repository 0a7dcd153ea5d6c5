import type { FastifyPluginAsync } from 'fastify';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewRequest } from '#contract/reviews.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { createReview, editReview, removeReview } from './create-edit-delete.ts';
import { publishNow } from './publish-scheduled.ts';
import { listReviews, ownReviews, readReview, reviewFilterOptions } from './service.ts';

/** `/reviews/…` (docs/api.md, "Endpoints"). */
export function reviewRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    route(app, reviewEndpoints.list, { madeFrom: ['reviews', 'votes'] }, async ({ query, url }) => {
      const { reviews, count } = await listReviews(deps, query);
      return toPage(url, query, count, reviews);
    });

    route(app, reviewEndpoints.filterOptions, { madeFrom: ['reviews'] }, async () =>
      reviewFilterOptions(deps),
    );

    route(app, reviewEndpoints.listOwn, async (request) =>
      ownReviews(deps, callerOf(request).author),
    );

    route(app, reviewEndpoints.read, { madeFrom: ['reviews', 'votes'] }, async ({ params }) =>
      readReview(deps, params.id),
    );

    route(
      app,
      reviewEndpoints.create,
      { changes: ['reviews', 'employers'], body: reviewRequest(deps.clock) },
      async (request) => createReview(deps, limits, callerOf(request), request.body),
    );

    route(app, reviewEndpoints.publish, { changes: ['reviews', 'employers'] }, async (request) =>
      publishNow(deps, callerOf(request), request.params.id),
    );

    route(app, reviewEndpoints.edit, { changes: ['reviews'] }, async (request) =>
      editReview(deps, callerOf(request), request.params.id, request.body),
    );

    route(app, reviewEndpoints.delete, { changes: ['reviews', 'votes'] }, async (request) => {
      await removeReview(deps, callerOf(request).author, request.params.id);
      return null;
    });
  };
}
