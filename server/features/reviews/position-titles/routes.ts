import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { PositionTitlePage, PositionTitleQuery } from '#contract/review-position-titles.ts';
import type { Deps } from '#server/deps.ts';
import { toPage } from '#server/paging.ts';
import { refusals } from '#server/plugins/route-schema.ts';
import { listPositionTitles } from './queries.ts';

/** `/position-titles/` (specification, section 7). */
export function positionTitleRoutes({ db }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/position-titles/',
      {
        config: { access: 'public', madeFrom: ['position_titles'] },
        schema: {
          querystring: PositionTitleQuery,
          response: { 200: PositionTitlePage, ...refusals(400) },
        },
      },
      async ({ query, url }) => {
        const { titles, count } = await listPositionTitles(db, query);
        return toPage(url, query, count, titles);
      },
    );
  };
}
