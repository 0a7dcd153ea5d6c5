import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import {
  OwnReview,
  OwnReviews,
  Review,
  ReviewEditRequest,
  ReviewFilterOptions,
  ReviewPage,
  ReviewQuery,
  reviewRequest,
} from '#contract/reviews.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/paging.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { createReview, editReview, removeReview } from './create-edit-delete.ts';
import { publishNow } from './publish-scheduled.ts';
import { listReviews, ownReviews, readReview, reviewFilterOptions } from './service.ts';

const byId = z.strictObject({ id: z.uuid() });
/** With what only its author is told, while it is scheduled. */
const WrittenReview = z.union([Review, OwnReview]);

/** `/reviews/…` (specification, section 7). */
export function reviewRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/reviews/',
      {
        config: { access: 'public', madeFrom: ['reviews', 'votes'] },
        schema: { querystring: ReviewQuery, response: { 200: ReviewPage, ...refusals(400) } },
      },
      async ({ query, url }) => {
        const { reviews, count } = await listReviews(deps, query);
        return toPage(url, query, count, reviews);
      },
    );

    app.get(
      '/reviews/filter_options/',
      {
        config: { access: 'public', madeFrom: ['reviews'] },
        schema: { response: { 200: ReviewFilterOptions } },
      },
      async () => reviewFilterOptions(deps),
    );

    app.get(
      '/reviews/my_reviews/',
      {
        config: { access: 'verified', denial: REVIEW_MESSAGES.ownForbidden },
        schema: { response: { 200: OwnReviews, ...refusals(401, 403) } },
      },
      async (request) => ownReviews(deps, callerOf(request).author),
    );

    app.get(
      '/reviews/:id/',
      {
        config: { access: 'public', madeFrom: ['reviews', 'votes'] },
        schema: { params: byId, response: { 200: Review, ...refusals(400, 404) } },
      },
      async ({ params }) => readReview(deps, params.id),
    );

    app.post(
      '/reviews/',
      {
        config: {
          access: 'poster',
          rateLimit: 'reviewWrite',
          changes: ['reviews', 'employers'],
        },
        schema: {
          body: reviewRequest(deps.clock),
          response: { 201: WrittenReview, ...refusals(400, 401, 403, 429) },
        },
      },
      async (request, reply) => {
        const review = await createReview(deps, limits, callerOf(request), request.body);
        return reply.code(201).send(review);
      },
    );

    app.post(
      '/reviews/:id/publish/',
      {
        config: {
          access: 'poster',
          rateLimit: 'reviewWrite',
          changes: ['reviews', 'employers'],
        },
        schema: {
          params: byId,
          response: { 200: OwnReview, ...refusals(400, 401, 403, 404, 429) },
        },
      },
      async (request) => {
        return publishNow(deps, callerOf(request), request.params.id);
      },
    );

    app.patch(
      '/reviews/:id/',
      {
        config: { access: 'verified', rateLimit: 'reviewWrite', changes: ['reviews'] },
        schema: {
          params: byId,
          body: ReviewEditRequest,
          response: { 200: WrittenReview, ...refusals(400, 401, 403, 404, 409, 429) },
        },
      },
      async (request) => {
        return editReview(deps, callerOf(request), request.params.id, request.body);
      },
    );

    app.delete(
      '/reviews/:id/',
      {
        // One's own words can be taken back whatever has become of the verification.
        config: { access: 'signed-in', changes: ['reviews', 'votes'] },
        schema: {
          params: byId,
          response: { 204: z.null(), ...refusals(400, 401, 403, 404, 429) },
        },
      },
      async (request, reply) => {
        await removeReview(deps, callerOf(request).author, request.params.id);
        return reply.code(204).send(null);
      },
    );
  };
}
