import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  ModeratedReview,
  ModeratedReviewPage,
  RemovalRequest,
  ReportsQuery,
} from '#contract/review-moderation.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/paging.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { keepReview, listModerated, removeReported, restoreReview } from './service.ts';

const byId = z.strictObject({ id: z.uuid() });
const config = { access: 'admin', changes: ['reviews', 'votes'] } as const;
const response = { 200: ModeratedReview, ...refusals(400, 401, 403, 404, 429) };

/** What moderators do. None of it shows who wrote a review, or who reported it. */
export function moderationRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/admin/reports/',
      {
        config: { access: 'admin' },
        schema: {
          querystring: ReportsQuery,
          response: { 200: ModeratedReviewPage, ...refusals(400, 401, 403) },
        },
      },
      async ({ query, url }) => {
        const { reviews, count } = await listModerated(deps, query);
        return toPage(url, query, count, reviews);
      },
    );

    app.post(
      '/admin/reviews/:id/remove/',
      { config, schema: { params: byId, body: RemovalRequest, response } },
      async (request) =>
        removeReported(deps, callerOf(request).userId, request.params.id, request.body.reason),
    );

    app.post(
      '/admin/reviews/:id/restore/',
      { config, schema: { params: byId, response } },
      async (request) => restoreReview(deps, callerOf(request).userId, request.params.id),
    );

    app.post(
      '/admin/reviews/:id/keep/',
      { config, schema: { params: byId, response } },
      async (request) => keepReview(deps, callerOf(request).userId, request.params.id),
    );
  };
}
