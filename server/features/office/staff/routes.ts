import type { FastifyPluginAsync } from 'fastify';
import { digestEndpoints, staffEndpoints } from '#contract/endpoints/staff.ts';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { appoint, dismiss, listStaff, resetFactor } from './appointments.ts';
import { setDigest, wantsDigest } from './digest-setting.ts';

/** Appointments by an owner, and the caller's own daily mail. */
export function staffRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, staffEndpoints.list, async () => listStaff(deps));

    route(app, staffEndpoints.appoint, async (request) => {
      const act = { actor: callerOf(request).userId, userId: request.params.id };
      await appoint(deps, act, request.body.roles);
      return listStaff(deps);
    });

    route(app, staffEndpoints.dismiss, async (request) => {
      await dismiss(deps, { actor: callerOf(request).userId, userId: request.params.id });
      return { message: STAFF_MESSAGES.removed };
    });

    route(app, staffEndpoints.resetFactor, async (request) => {
      await resetFactor(deps, { actor: callerOf(request).userId, userId: request.params.id });
      return { message: STAFF_MESSAGES.factorReset };
    });

    route(app, digestEndpoints.read, async (request) => ({
      is_on: await wantsDigest(deps.db, callerOf(request).userId),
    }));

    route(app, digestEndpoints.set, async (request) => {
      const { is_on } = request.body;
      await setDigest(deps, callerOf(request).userId, is_on);
      return { is_on };
    });
  };
}
