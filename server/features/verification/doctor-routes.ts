import type { FastifyPluginAsync } from 'fastify';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile } from '#server/features/accounts/service.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { checkAgain } from './registry-check.ts';

/** `/doctors/me/` (docs/api.md, "Endpoints"), and the registry asked again. */
export function doctorRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, sessionEndpoints.doctor, async (request) => {
      const profile = await loadProfile(deps, deps.db, callerOf(request).userId);
      if (!profile?.doctor) throw new AppError('not_found');
      return profile.doctor;
    });

    route(app, verificationEndpoints.checkRegistry, async (request) =>
      checkAgain(deps, callerOf(request).userId),
    );
  };
}
