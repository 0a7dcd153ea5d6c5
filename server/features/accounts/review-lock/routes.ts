import type { FastifyPluginAsync } from 'fastify';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { canLock, lockReviews, unlockReviews } from './review-lock.ts';

/** `/auth/reviews/…`: locks and unlocks the author's reviews. */
export function reviewLockRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    route(app, accountEndpoints.reviewLock, async (request) => {
      const { userId, author } = callerOf(request);
      return { locked: author.salt !== null, can_lock: await canLock(deps, deps.db, userId) };
    });

    route(app, accountEndpoints.lockReviews, async (request) =>
      lockReviews(deps, limits, callerOf(request), request.body),
    );

    route(app, accountEndpoints.unlockReviews, async (request) =>
      unlockReviews(deps, limits, callerOf(request), request.body),
    );
  };
}
