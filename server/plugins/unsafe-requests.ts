import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { type Config, isHttps } from '#server/config/config.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { AccountLimit } from '#server/rate-limits/limits.ts';
import { keyedQueue, type RateLimits } from '#server/rate-limits/rate-limits.ts';
import { SAFE_METHODS } from './route.ts';

const COOKIE = 'csrftoken';
const HEADER = 'x-csrftoken';

/**
 * Rejects unsafe requests from other sites: by Fetch Metadata, by `Origin` (RFC 6454), and by a
 * double-submit cookie. `onVisit` may add to the response that gives the token.
 */
export function csrf(
  app: FastifyInstance,
  config: Config,
  onVisit: (request: FastifyRequest, reply: FastifyReply) => void,
) {
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method)) return;
    if (isCrossSite(request, config.publicUrl) || !tokenMatches(request)) {
      throw new AppError('cross_site_request');
    }
  });

  const { path, access } = sessionEndpoints.csrf;
  app.get(`/api${path}`, { config: { access } }, async (request, reply) => {
    const token = request.cookies[COOKIE] ?? randomBytes(24).toString('base64url');
    reply.setCookie(COOKIE, token, {
      path: '/',
      sameSite: 'lax',
      secure: isHttps(config),
      // Our own script reads it and copies it into the header.
      httpOnly: false,
    });
    onVisit(request, reply);
    return reply.code(204).send();
  });
}

function isCrossSite(request: FastifyRequest, publicUrl: string): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin } = request.headers;
  if (!origin || origin === publicUrl) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host;
}

function tokenMatches(request: FastifyRequest): boolean {
  const cookie = request.cookies[COOKIE];
  if (cookie === undefined) return true;
  const header = request.headers[HEADER];
  if (typeof header !== 'string') return false;
  const [sent, expected] = [Buffer.from(header), Buffer.from(cookie)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The per-account limit that each call counts toward, instead of `write`. */
    rateLimit?: AccountLimit;
  }
}

/**
 * Limits writes per account only: counting network addresses could link a review to its author.
 * Invalid input does not count.
 */
export function limitWrites(app: FastifyInstance, limits: RateLimits) {
  app.addHook('preHandler', async ({ method, caller, routeOptions }) => {
    if (!caller || SAFE_METHODS.has(method)) return;
    await limits.take(routeOptions.config.rateLimit ?? 'write', caller.author.writer);
  });
}

/** Database connections that the requests of one account may use at once. */
const CONCURRENT_WRITES = 4;

/**
 * Queues concurrent writes by one account. They may block each other in the database (a vote while
 * reviews are being locked), and each would hold a connection. A client that disconnects does not
 * free its slot.
 */
export function queueWrites(app: FastifyInstance) {
  const enqueue = keyedQueue(CONCURRENT_WRITES);
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => SAFE_METHODS.has(method))) return;
    const { handler } = route;
    route.handler = function handleQueued(request, reply) {
      const work = async () => handler.call(this, request, reply);
      return request.caller ? enqueue(request.caller.userId, work) : work();
    };
  });
}
