import type { FastifyPluginAsync } from 'fastify';
import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/listing/page.ts';
import { route } from '#server/plugins/route.ts';
import { listPositionTitles } from './queries.ts';

/** `/position-titles/` (docs/api.md, "Endpoints"). */
export function positionTitleRoutes({ db }: Deps): FastifyPluginAsync {
  return async (app) => {
    route(
      app,
      positionTitleEndpoints.list,
      { madeFrom: ['position_titles'] },
      async ({ query, url }) => {
        const { titles, count } = await listPositionTitles(db, query);
        return toPage(url, query, count, titles);
      },
    );
  };
}
