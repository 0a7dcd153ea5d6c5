import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { CLIENT_VERSION } from '#contract/limits.ts';
import { padded } from '#contract/transport.ts';
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
import { loadShedding } from '#server/plugins/load-shedding.ts';
import { countRequests, traceRequests } from '#server/plugins/open-routes.ts';
import { problemDetails } from '#server/plugins/problem-details.ts';
import { knownMethods, readableRequests } from '#server/plugins/refused-requests.ts';
import { requestLog } from '#server/plugins/request-log.ts';
import { commonRefusals } from '#server/plugins/route.ts';
import { contentPolicy, securityHeaders } from '#server/plugins/security-headers.ts';
import { csrf, limitWrites, queueWrites } from '#server/plugins/unsafe-requests.ts';
import { validation } from '#server/plugins/validation.ts';
import { health, securityTxt } from '#server/plugins/well-known-routes.ts';
import { rateLimits } from '#server/rate-limits/rate-limits.ts';
import { officeGate } from './features/office/factor/pass.ts';
import { replyRoutes } from './features/replies/routes.ts';
import { devRoutes } from './features/site/dev/routes.ts';
import { discoveryRoutes } from './features/site/routes.ts';

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

/** Allows only Swagger UI's own files; its suggested policy would also allow other origins. */
const DOCS_POLICY = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

/** Serves OpenAPI 3.1 for the routes registered after it, with Swagger UI at `docs`. */
async function apiDocs(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Curbside',
        version: CLIENT_VERSION,
        description: 'Anonymous reviews of healthcare employers, by physicians.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    transform: createJsonSchemaTransform({}),
  });
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: DOCS_POLICY });
  });
}

/**
 * Pads the JSON of every response that is not the same for everyone, and forbids proxies to
 * compress it: its length would tell which reviews are the caller's.
 */
function padAnswers(api: FastifyInstance) {
  api.addHook('onSend', async ({ routeOptions }, reply, payload) => {
    if (routeOptions.config.madeFrom || typeof payload !== 'string') return payload;
    if (!/\bjson\b/.test(String(reply.getHeader('content-type')))) return payload;
    reply.header('cache-control', 'no-store, no-transform');
    return padded(payload);
  });
}
