import type { FastifyRequest } from 'fastify';
import { FRESH_LOGIN_MS } from '#contract/limits.ts';
import { lockedAuthor, openAuthor } from '#server/anonymity/author.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import { openAuthorSalt } from '../review-lock/author-salt.ts';
import { type AccessClaims, readAccessToken } from './access-token.ts';
import { findCaller, holdsSession } from './sessions.ts';

type AuthenticationDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type Bearer = Pick<FastifyRequest, 'headers'>;

/** The claims of the request's bearer token; null without a valid one. */
async function claimsOf(
  deps: AuthenticationDeps,
  { headers }: Bearer,
): Promise<AccessClaims | null> {
  const [scheme, token] = (headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token) return null;
  return readAccessToken(deps, token);
}

/** Returns the caller, from the bearer token (RFC 6750) and its session and account. */
export async function authenticate(
  deps: AuthenticationDeps,
  request: Bearer,
): Promise<Caller | null> {
  const { keys } = deps;
  const claims = await claimsOf(deps, request);
  if (!claims) return null;
  const { userId, sessionId, authTime, authorSecret: secret } = claims;
  const account = await findCaller(deps, deps.db, claims);
  if (!account) return null;
  const { authorSalt, ...rights } = account;
  const author =
    secret === null
      ? openAuthor(keys, userId)
      : lockedAuthor({ secret, salt: openAuthorSalt(keys, userId, authorSalt).salt });
  const hasFreshLogin = deps.clock().getTime() - authTime * 1000 < FRESH_LOGIN_MS;
  return { userId, sessionId, hasFreshLogin, author, ...rights };
}

/**
 * The author secret from the bearer token if that is signed in to this account; null otherwise, and
 * for accounts without a lock.
 */
export async function secretOfBearer(
  deps: AuthenticationDeps,
  request: Bearer,
  userId: string,
): Promise<Buffer | null> {
  const claims = await claimsOf(deps, request);
  if (claims?.userId !== userId) return null;
  return (await holdsSession(deps.keys, deps.db, claims)) ? claims.authorSecret : null;
}
