import type { FastifyPluginAsync } from 'fastify';
import { transparencyEndpoints } from '#contract/endpoints/transparency.ts';
import type { Deps } from '#server/deps.ts';
import { route } from '#server/plugins/route.ts';
import { readRecord } from './record.ts';

/** The public record of moderation (docs/moderation.md). */
export function transparencyRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    // No topic: complete months do not change, and no cached response is older than a minute.
    route(app, transparencyEndpoints.read, { madeFrom: [] }, async () => readRecord(deps));
  };
}
