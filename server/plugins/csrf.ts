import { randomBytes, timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { type Config, isHttps } from '#server/config/config.ts';
import { AppError } from '#server/errors/app-error.ts';
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
