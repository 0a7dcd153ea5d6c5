import type { FastifyPluginAsync } from 'fastify';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { representativeEndpoints } from '#contract/endpoints/representatives.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { confirmEmailChange } from '#server/features/accounts/email-change/email-change.ts';
import { undoEmailChange } from '#server/features/accounts/email-change/email-undo.ts';
import {
  canLock,
  lockReviews,
  unlockReviews,
} from '#server/features/accounts/review-lock/review-lock.ts';
import { ownProfile } from '#server/features/accounts/session/own-profile.ts';
import { ownRepresentation } from '#server/features/replies/representatives/representatives.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { exportAccount, removeAccount } from './account-data.ts';
import { updateProfile } from './own-account.ts';

const AS_FILE = { 'content-disposition': 'attachment; filename="curbside-data.json"' };

/** The user's own account: profile, email change, data export, deletion, and review lock. */
export function memberRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  return async (app) => {
    route(
      app,
      sessionEndpoints.user,
      async (request) => (await ownProfile(deps, callerOf(request).userId)).user,
    );

    route(app, representativeEndpoints.own, async (request) => {
      const own = await ownRepresentation(deps, callerOf(request).userId);
      if (!own) throw new AppError('not_found');
      return own;
    });

    route(app, accountEndpoints.update, async (request) => {
      const caller = callerOf(request);
      // Other people's accounts are reported as not found.
      if (request.params.id.toLowerCase() !== caller.userId) throw new AppError('not_found');
      return updateProfile(deps, limits, caller, request.body);
    });

    route(app, accountEndpoints.confirmEmail, async ({ body }) => {
      await confirmEmailChange(deps, body.token);
      return { message: ACCOUNT_MESSAGES.emailChanged };
    });

    route(app, accountEndpoints.stopEmailChange, async ({ body }) => ({
      message: await undoEmailChange(deps, body.token),
    }));

    route(app, accountEndpoints.export, async (request, reply) => {
      const data = await exportAccount(deps, limits, callerOf(request));
      reply.headers(AS_FILE);
      return data;
    });

    route(app, accountEndpoints.exportWithPassword, async (request, reply) => {
      const data = await exportAccount(deps, limits, callerOf(request), request.body.password);
      reply.headers(AS_FILE);
      return data;
    });

    route(app, accountEndpoints.delete, { changes: ['reviews', 'votes'] }, async (request) => {
      await removeAccount(deps, limits, callerOf(request), request.body);
      return { message: ACCOUNT_MESSAGES.accountDeleted };
    });

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
