import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import type { Author } from '#server/anonymity/author.ts';
import { AppError } from '#server/app-error.ts';

/** The signed-in caller, from the access token and the account. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** The identity used for reviews, votes, and reports. */
  readonly author: Author;
  /** The password was typed within the last 10 minutes (`FRESH_LOGIN_MS`). */
  readonly hasFreshLogin: boolean;
  readonly isAdmin: boolean;
  readonly verified: boolean;
  readonly canPostReviews: boolean;
}

/** Returns the caller of a request, or null. Implemented in `server/features/accounts`. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Error text for callers without the access, instead of the default. */
    denial?: string;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller | null;
  }
}

const allows: Record<Exclude<Access, 'public'>, (caller: Caller) => boolean> = {
  'signed-in': () => true,
  verified: (caller) => caller.verified,
  poster: (caller) => caller.verified && caller.canPostReviews,
  admin: (caller) => caller.isAdmin,
};

/**
 * Enforces the access that each route declares. `ready()` fails and names the routes that declare
 * none, so the server does not start with an unprotected route.
 */
export function accessPolicy(app: FastifyInstance, authenticate: Authenticate) {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const undeclared = routes
      .filter((route) => !route.config?.access)
      .map((route) => `${String(route.method)} ${route.url}`);
    if (undeclared.length > 0) {
      throw new Error(`routes without an access policy: ${undeclared.join(', ')}`);
    }
  });
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const { access, denial } = request.routeOptions.config;
    if (!access || access === 'public') return;
    request.caller = await authenticate(request);
    if (!request.caller) throw new AppError('authentication_required');
    if (!allows[access](request.caller)) {
      throw new AppError('permission_denied', { ...(denial && { detail: denial }) });
    }
  });
}

/** The caller of a route that requires signing in. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url ?? ''} has no caller`);
  return request.caller;
}
