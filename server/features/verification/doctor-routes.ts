import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { Doctor } from '#contract/doctors.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile } from '#server/features/accounts/service.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { checkAgain } from './registry-check.ts';

/** `/doctors/me/` (specification, section 7), and the registry asked again. */
export function doctorRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/doctors/me/',
      {
        config: { access: 'signed-in' },
        schema: { response: { 200: Doctor, ...refusals(401, 404) } },
      },
      async (request) => {
        const profile = await loadProfile(deps, deps.db, callerOf(request).userId);
        if (!profile?.doctor) throw new AppError('not_found');
        return profile.doctor;
      },
    );

    app.post(
      '/verification/check/',
      {
        config: { access: 'signed-in', rateLimit: 'registryCheck' },
        schema: {
          body: z.strictObject({}),
          response: { 200: Doctor, ...refusals(400, 401, 404, 429) },
        },
      },
      async (request) => checkAgain(deps, callerOf(request).userId),
    );
  };
}
