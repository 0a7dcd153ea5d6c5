import type { FastifyPluginAsync } from 'fastify';
import { legalEndpoints } from '#contract/endpoints/legal.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/listing/page.ts';
import { callerOf } from '#server/plugins/access.ts';
import { route } from '#server/plugins/route.ts';
import {
  addDocument,
  correctDemand,
  decideDemand,
  liftGag,
  listDemands,
  readDocument,
  recordDemand,
} from './demands.ts';
import { readFiles } from './uploads.ts';

/** Legal demands, handled by owners (docs/moderation.md, "Legal demands"). */
export function legalRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, legalEndpoints.list, async ({ query, url }) => {
      const { demands, count } = await listDemands(deps, query);
      return toPage(url, query, count, demands);
    });

    route(app, legalEndpoints.record, async (request) =>
      recordDemand(deps, callerOf(request).userId, request.body),
    );

    route(app, legalEndpoints.download, async (request) => readDocument(deps, request.params.id));

    await app.register(async (uploads) => {
      readFiles(uploads);
      route(uploads, legalEndpoints.upload, async (request) =>
        addDocument(deps, callerOf(request).userId, request.params.id, request.body),
      );
    });

    route(app, legalEndpoints.decide, async (request) =>
      decideDemand(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, legalEndpoints.correct, async (request) =>
      correctDemand(deps, callerOf(request).userId, request.params.id, request.body),
    );

    route(app, legalEndpoints.liftGag, async (request) =>
      liftGag(deps, callerOf(request).userId, request.params.id),
    );
  };
}
