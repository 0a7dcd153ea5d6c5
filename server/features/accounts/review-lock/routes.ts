import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { LockRequest, LockResponse, ReviewLock, UnlockRequest } from '#contract/review-lock.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { canLock, lockReviews, unlockReviews } from './review-lock.ts';

/** `/auth/reviews/…`: whether any key of the server names the author of one's reviews. */
export function reviewLockRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/auth/reviews/lock/',
      {
        config: { access: 'signed-in' },
        schema: { response: { 200: ReviewLock, ...refusals(401) } },
      },
      async (request) => {
        const { userId, author } = callerOf(request);
        return { locked: author.salt !== null, can_lock: await canLock(deps, deps.db, userId) };
      },
    );

    app.post(
      '/auth/reviews/lock/',
      {
        config: { access: 'signed-in' },
        schema: {
          body: LockRequest,
          response: { 200: LockResponse, ...refusals(400, 401, 403, 429) },
        },
      },
      async (request) => lockReviews(deps, limits, callerOf(request), request.body),
    );

    app.post(
      '/auth/reviews/unlock/',
      {
        config: { access: 'signed-in' },
        schema: {
          body: UnlockRequest,
          response: { 200: LockResponse, ...refusals(400, 401, 429) },
        },
      },
      async (request) => unlockReviews(deps, limits, callerOf(request), request.body),
    );
  };
}
