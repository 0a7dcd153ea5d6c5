import type { FastifyPluginAsync } from 'fastify';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { VERIFICATION_MESSAGES } from '#contract/verification.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile } from '#server/features/accounts/identity/profiles.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { confirmLetter, orderLetter } from './letters/proof.ts';
import { confirmMailbox, mailMailboxCode } from './mailbox/proof.ts';
import { checkAgain } from './registry-check.ts';
import { verificationSteps } from './verification.ts';

/** `/doctors/me/` and `/verification/…` (docs/api.md, "Endpoints"). */
export function verificationRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  const ownDoctor = async (userId: string) => {
    const profile = await loadProfile(deps.keys, deps.db, userId);
    if (!profile?.doctor) throw new AppError('not_found');
    return profile.doctor;
  };

  return async (app) => {
    route(app, sessionEndpoints.doctor, async (request) => ownDoctor(callerOf(request).userId));

    route(app, verificationEndpoints.checkRegistry, async (request) =>
      checkAgain(deps, callerOf(request).userId),
    );

    route(app, verificationEndpoints.steps, async (request) =>
      verificationSteps(deps, callerOf(request).userId),
    );

    route(app, verificationEndpoints.orderLetter, async (request) => {
      const { userId } = callerOf(request);
      await orderLetter(deps, userId);
      return verificationSteps(deps, userId);
    });

    route(app, verificationEndpoints.confirmLetter, async (request) => {
      const { userId } = callerOf(request);
      await confirmLetter(deps, userId, request.body.code);
      return ownDoctor(userId);
    });

    route(app, verificationEndpoints.mailMailboxCode, async (request) => {
      await mailMailboxCode(deps, limits, callerOf(request), request.body.email);
      return { message: VERIFICATION_MESSAGES.codeMailed };
    });

    route(app, verificationEndpoints.confirmMailbox, async (request) => {
      const { userId } = callerOf(request);
      await confirmMailbox(deps, userId, request.body.code);
      return ownDoctor(userId);
    });
  };
}
