import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Access, Endpoint, OfficeAccess } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { RepresentativeState } from '#contract/replies/representatives.ts';
import type { Role } from '#contract/staff-roles.ts';
import type { Author } from '#server/anonymity/author.ts';
import { AppError } from '#server/errors/app-error.ts';

/** The signed-in caller, from the access token and the account. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** The identity used for reviews, votes, and reports. */
  readonly author: Author;
  /** The password was typed within the last 10 minutes (`FRESH_LOGIN_MS`). */
  readonly hasFreshLogin: boolean;
  /** Empty for non-staff. */
  readonly roles: readonly Role[];
  /** Set for an employer's representative; null for all other accounts. */
  readonly representation: RepresentativeState | null;
  readonly verified: boolean;
  readonly canPostReviews: boolean;
}

/** Returns the caller of a request, or null. Implemented in `server/features/accounts`. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | null>;

/** Throws unless the caller has entered a second factor. Implemented in `server/features/office`. */
export type OfficeGate = (
  request: FastifyRequest,
  caller: Caller,
  kind: 'fresh' | 'pass',
) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Error text for callers without access, instead of the default. */
    denial?: string;
    factor?: Endpoint['factor'];
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller | null;
  }
}

const allows: Record<Exclude<Access, 'public'>, (caller: Caller) => boolean> = {
  'signed-in': () => true,
  reader: (caller) => caller.representation === null,
  representative: (caller) => caller.representation === 'approved',
  verified: (caller) => caller.verified,
  poster: (caller) => caller.verified && caller.canPostReviews,
  staff: (caller) => caller.roles.length > 0,
  owner: (caller) => caller.roles.includes('owner'),
  moderator: (caller) => caller.roles.includes('moderator'),
  verifier: (caller) => caller.roles.includes('verifier'),
  curator: (caller) => caller.roles.includes('curator'),
  auditor: (caller) => caller.roles.includes('auditor'),
};

const WITHOUT_OFFICE: readonly Access[] = [
  'public',
  'signed-in',
  'reader',
  'representative',
  'verified',
  'poster',
];

export const isOffice = (access: Access): access is OfficeAccess =>
  !WITHOUT_OFFICE.includes(access);

/** Why an account may not call an endpoint. Representatives have their own reason. */
function denialOf(access: Access, { representation }: Caller): ErrorCode {
  if (access === 'representative') return 'not_representative';
  const isOfKind = representation === null || isOffice(access);
  return isOfKind ? 'permission_denied' : 'representative_account';
}

/**
 * Enforces the access that each route declares. `ready()` fails and names the routes that declare
 * none, so the server does not start with an unprotected route.
 */
export function accessPolicy(
  app: FastifyInstance,
  authenticate: Authenticate,
  officeGate: OfficeGate,
) {
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
    const { access, denial, factor = 'pass' } = request.routeOptions.config;
    if (!access || access === 'public') return;
    request.caller = await authenticate(request);
    if (!request.caller) throw new AppError('authentication_required');
    if (!allows[access](request.caller)) {
      const code = denialOf(access, request.caller);
      const isGeneral = code === 'permission_denied';
      throw new AppError(code, { ...(isGeneral && denial && { detail: denial }) });
    }
    if (isOffice(access) && factor !== 'none') await officeGate(request, request.caller, factor);
  });
}

/** The caller of a route that requires signing in. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url ?? ''} has no caller`);
  return request.caller;
}
