import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { factorEndpoints } from '#contract/endpoints/staff.ts';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { officeGate } from './gate.ts';
import {
  beginSetup,
  confirmSetup,
  factorStatus,
  removeFactor,
  renewRecoveryCodes,
  spendCode,
} from './own-factor.ts';
import { ageOfPass, givePass } from './pass.ts';

/** The caller's own second factor. */
export function factorRoutes(deps: Deps, limits: RateLimits): FastifyPluginAsync {
  const gate = officeGate(deps);

  /** Only someone who has the factor can replace it. */
  async function unlessReplaced(request: FastifyRequest) {
    const caller = callerOf(request);
    if ((await factorStatus(deps, caller)).is_set_up) await gate(request, caller, 'fresh');
    return caller;
  }

  return async (app) => {
    route(app, factorEndpoints.status, async (request) => factorStatus(deps, callerOf(request)));

    route(app, factorEndpoints.begin, async (request) => {
      const caller = await unlessReplaced(request);
      return beginSetup(deps, limits, caller, request.body.password);
    });

    route(app, factorEndpoints.confirm, async (request, reply) => {
      const caller = await unlessReplaced(request);
      const { id, codes } = await confirmSetup(deps, limits, caller, request.body);
      givePass(deps, reply, caller, id);
      return { recovery_codes: codes };
    });

    route(app, factorEndpoints.enter, async (request, reply) => {
      const caller = callerOf(request);
      const isKnown = (factorId: string) => ageOfPass(deps, request, caller, factorId) !== null;
      const { id, wrong } = await spendCode(deps, limits, caller, request.body.code, isKnown);
      givePass(deps, reply, caller, id);
      return { message: STAFF_MESSAGES.entered, wrong_codes: wrong };
    });

    route(app, factorEndpoints.newRecoveryCodes, async (request) => ({
      recovery_codes: await renewRecoveryCodes(deps, callerOf(request)),
    }));

    route(app, factorEndpoints.remove, async (request) => {
      await removeFactor(deps, callerOf(request));
      return { message: STAFF_MESSAGES.factorRemoved };
    });
  };
}
