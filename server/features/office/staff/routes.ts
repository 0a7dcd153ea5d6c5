import type { FastifyPluginAsync } from 'fastify';
import { staffEndpoints } from '#contract/endpoints/staff.ts';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import { appoint, dismiss, listStaff, resetFactor } from './appointments.ts';

/** Appointments by an owner. */
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
  };
}
