import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod/mini';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { UNSUBSCRIBE_PATH } from '#contract/page-queries.ts';
import { SAVED_MESSAGES, UnsubscribeRequest } from '#contract/saved/saved.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/plugins/access.ts';
import { refusals, route } from '#server/plugins/route.ts';
import {
  readSaved,
  removeEntries,
  savedEmployers,
  saveEntries,
  switchWeeklyMail,
} from './saved.ts';
import { unsubscribe } from './weekly-mail.ts';

/** What accounts have saved (docs/product/saved.md). */
export function savedRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    route(app, savedEndpoints.list, async (request) => readSaved(deps, callerOf(request).userId));

    route(app, savedEndpoints.save, async (request) =>
      saveEntries(deps, callerOf(request), request.body.entries),
    );

    route(app, savedEndpoints.remove, async (request) =>
      removeEntries(deps, callerOf(request), request.body.entries),
    );

    route(app, savedEndpoints.weeklyMail, async (request) =>
      switchWeeklyMail(deps, callerOf(request), request.body.weekly_mail),
    );

    route(app, savedEndpoints.employers, async ({ body }) => savedEmployers(deps, body.ids));

    route(app, savedEndpoints.unsubscribe, async ({ body }) => {
      await unsubscribe(deps, body.token);
      return { message: SAVED_MESSAGES.unsubscribed };
    });
  };
}

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * The POST by a mail server on behalf of a reader (RFC 8058), and by the page without script. It
 * has neither session nor cookie: the token in the URL identifies the account. GET is the page,
 * which changes nothing.
 */
export function unsubscribeRoute(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser(FORMS, { parseAs: 'buffer' }, (_request, _body, done) => {
      // `List-Unsubscribe=One-Click`, which carries no other data.
      done(null, null);
    });
    app.post<{ Querystring: z.infer<typeof UnsubscribeRequest> }>(UNSUBSCRIBE_PATH, {
      config: { access: 'public' },
      schema: {
        hide: true,
        querystring: UnsubscribeRequest,
        response: { 200: z.string(), ...refusals(400) },
      },
      async handler({ query }, reply) {
        await unsubscribe(deps, query.token);
        reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
        return `${SAVED_MESSAGES.unsubscribed}\n`;
      },
    });
  };
}
