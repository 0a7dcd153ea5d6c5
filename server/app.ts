import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidateChanges } from '#server/cache/public-cache.ts';
import { mayHavePosition, readYourWrites } from '#server/cache/read-your-writes.ts';
import { cacheResponses, sendAhead } from '#server/cache/response-cache.ts';
import type { Deps } from '#server/deps.ts';
import { accountRoutes } from '#server/features/accounts/routes.ts';
import { authenticate } from '#server/features/accounts/session/authentication.ts';
import { rememberDevice } from '#server/features/accounts/session/known-device.ts';
import { employerRoutes } from '#server/features/employers/routes.ts';
import { memberRoutes } from '#server/features/member/routes.ts';
import { officeRoutes } from '#server/features/office/routes.ts';
import { transparencyRoutes } from '#server/features/office/transparency/record.ts';
import { representativeSignup } from '#server/features/replies/representatives/representatives.ts';
import { positionsWithRecent, selectQuotes } from '#server/features/reviews/reviews.ts';
import { reviewRoutes } from '#server/features/reviews/routes.ts';
import { suggestionRoutes } from '#server/features/reviews/suggestions/suggest.ts';
import { savedRoutes, unsubscribeRoute } from '#server/features/saved/routes.ts';
import { verificationRoutes } from '#server/features/verification/routes.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { type PageSource, pages } from '#server/pages/pages.ts';
import { accessPolicy } from '#server/plugins/access.ts';
import { apiDocs } from '#server/plugins/api-docs.ts';
import { csrf } from '#server/plugins/csrf.ts';
import { health } from '#server/plugins/health.ts';
import { knownMethods } from '#server/plugins/known-methods.ts';
import { loadShedding } from '#server/plugins/load-shedding.ts';
import { padAnswers } from '#server/plugins/pad-answers.ts';
import { problemDetails } from '#server/plugins/problem-details.ts';
import { requestLog } from '#server/plugins/request-log.ts';
import { commonRefusals } from '#server/plugins/route.ts';
import { securityHeaders } from '#server/plugins/security-headers.ts';
import { securityTxt } from '#server/plugins/security-txt.ts';
import { traceRequests } from '#server/plugins/trace-requests.ts';
import { readableRequests } from '#server/plugins/unread-requests.ts';
import { validation } from '#server/plugins/validation.ts';
import { limitWrites, queueWrites } from '#server/plugins/write-limits.ts';
import { rateLimits } from '#server/rate-limits/rate-limits.ts';
import { officeGate } from './features/office/factor/pass.ts';
import { replyRoutes } from './features/replies/routes.ts';
import { devRoutes } from './features/site/dev/routes.ts';
import { discoveryRoutes } from './features/site/routes.ts';
import { countRequests } from './plugins/open-routes.ts';

export interface AppOptions {
  deps: Deps;
  /** Renders the pages. Without it, only the API is served. */
  pageSource?: PageSource;
  /** Local mail of the embedded default. */
  outbox?: Outbox;
}

export async function buildApp(app: FastifyInstance, { deps, pageSource, outbox }: AppOptions) {
  const { config } = deps;
  validation(app);
  app.setSerializerCompiler(() => JSON.stringify);

  commonRefusals(app);
  const refuseUnrouted = knownMethods(app);
  const onAnswer = countRequests(app, deps.metrics);
  requestLog(app, onAnswer);
  if (config.traces) traceRequests(app, mayHavePosition);
  problemDetails(app);
  await securityHeaders(app);
  readableRequests(app);
  await app.register(cookie);
  const limits = rateLimits(deps);
  accessPolicy(app, (request: FastifyRequest) => authenticate(deps, request), officeGate(deps));
  limitWrites(app, limits);
  queueWrites(app);
  csrf(app, config, (request, reply) => rememberDevice(deps, request, reply, null));
  cacheResponses(app, deps.cache.responses);
  sendAhead(app, deps.cache.responses, onAnswer);
  invalidateChanges(app, deps.cache);
  readYourWrites(app, deps);
  health(app, deps);
  securityTxt(app, deps);

  const { refuseIfSlow } = loadShedding(app, config);
  await app.register(
    async (api) => {
      // Only for the API: a slow page is better than one without its style sheet.
      api.addHook('onRequest', refuseIfSlow);
      padAnswers(api);
      await apiDocs(api);
      await api.register(accountRoutes(deps, limits, representativeSignup(deps)));
      await api.register(memberRoutes(deps, limits));
      await api.register(verificationRoutes(deps, limits));
      await api.register(
        employerRoutes(deps, limits, { quotes: selectQuotes, positions: positionsWithRecent }),
      );
      await api.register(reviewRoutes(deps, limits));
      await api.register(replyRoutes(deps));
      await api.register(suggestionRoutes(deps));
      await api.register(transparencyRoutes(deps));
      await api.register(savedRoutes(deps));
      await api.register(officeRoutes(deps, limits));
      const unrouted = { access: 'public', isCatchAll: true } as const;
      api.all('/*', { config: unrouted, schema: { hide: true } }, refuseUnrouted);
    },
    { prefix: '/api' },
  );
  await app.register(async (files) => {
    files.addHook('onRequest', refuseIfSlow);
    await files.register(discoveryRoutes(deps));
    await files.register(unsubscribeRoute(deps));
  });
  if (config.embedded && config.devPort === null && outbox) {
    await app.register(devRoutes({ outbox }));
  }
  if (pageSource) await pages(app, pageSource, config, deps.metrics);
  app.setNotFoundHandler(refuseUnrouted);
  return app;
}
