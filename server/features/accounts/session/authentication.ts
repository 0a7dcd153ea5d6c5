import type { FastifyRequest } from 'fastify';
import { FRESH_LOGIN_MS } from '#contract/limits.ts';
import { lockedAuthor, openAuthor } from '#server/anonymity/author.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import { openAuthorSalt } from '../review-lock/author-salt.ts';
import { type AccessClaims, readAccessToken } from './access-token.ts';
import { findCaller } from './session-queries.ts';
import { accountKey, holdsSession } from './sessions.ts';

type AuthenticationDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type Bearer = Pick<FastifyRequest, 'headers'>;

/** What the bearer token of a request says, or null where none is valid. */
async function claimsOf(
  deps: AuthenticationDeps,
  { headers }: Bearer,
): Promise<AccessClaims | null> {
  const [scheme, token] = (headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token) return null;
  return readAccessToken(deps, token);
}

/** Who calls, by the bearer token (RFC 6750) and the session and account behind it. */
export async function authenticate(
  deps: AuthenticationDeps,
  request: Bearer,
): Promise<Caller | null> {
  const { keys } = deps;
  const claims = await claimsOf(deps, request);
  if (!claims) return null;
  const { userId, sessionId, authTime, authorSecret: secret } = claims;
  const now = deps.clock();
  const account = await findCaller(deps.db, {
    userId,
    sessionId,
    accountKey: accountKey(keys, userId),
    today: toDay(now),
  });
  if (!account) return null;
  const { authorSalt, ...rights } = account;
  const author =
    secret === null
      ? openAuthor(keys, userId)
      : lockedAuthor({ secret, salt: openAuthorSalt(keys, userId, authorSalt).salt });
  const hasFreshLogin = now.getTime() - authTime * 1000 < FRESH_LOGIN_MS;
  return { userId, sessionId, hasFreshLogin, author, ...rights };
}

/**
 * The author secret that a browser holds which is still signed in to this account; null for any
 * other browser, and for an account that is not locked.
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
