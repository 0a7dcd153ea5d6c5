import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import type { Author } from '#server/anonymity/author.ts';
import { AppError } from '#server/app-error.ts';

/** Who is calling, as the access token and the account behind it say. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** Who the caller is to reviews, votes and reports. */
  readonly author: Author;
  /** The password was typed within the last 10 minutes (`FRESH_LOGIN_MS`). */
  readonly hasFreshLogin: boolean;
  readonly isAdmin: boolean;
  readonly verified: boolean;
  readonly canPostReviews: boolean;
}

/** Finds the caller of a request, or null: `server/features/accounts` knows how. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** What to tell those who lack the access, where there is more to say than that they do. */
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
 * Holds every route to the access it declares. `ready()` fails, naming the routes, when one
 * declares none: the server does not boot with a route that nobody thought about.
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

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url ?? ''} has no caller`);
  return request.caller;
}
