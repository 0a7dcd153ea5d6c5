import type { FastifyPluginAsync } from 'fastify';
import { suggestionEndpoints } from '#contract/endpoints/suggestions.ts';
import type { Deps } from '#server/deps.ts';
import { route } from '#server/plugins/route.ts';
import { suggest } from './suggest.ts';

/** What the search boxes suggest (docs/product.md, "Search boxes"). */
export function suggestionRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    const fromAll = { madeFrom: ['employers', 'reviews', 'position_titles'] } as const;
    route(app, suggestionEndpoints.list, fromAll, ({ query }) => suggest(deps, query.search));
  };
}
