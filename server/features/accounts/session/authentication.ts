import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { WRONG_PASSWORD } from '#contract/accounts/accounts.ts';
import { FRESH_LOGIN_MS } from '#contract/limits.ts';
import { lockedAuthor, openAuthor } from '#server/anonymity/author.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, unavailable } from '#server/errors/app-error.ts';
import { openAuthorSalts } from '#server/features/accounts/credentials/author-secret.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { type DerivedPassword, openPassword } from '../credentials/passwords.ts';
import { findAccount } from '../identity/account-queries.ts';
import { findCaller, holdsSession } from './sessions.ts';
import { readAccessToken } from './tokens.ts';

type AuthenticationDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type Bearer = Pick<FastifyRequest, 'headers'>;

/** The claims of the request's bearer token; null without a valid one. */
async function claimsOf(deps: AuthenticationDeps, { headers }: Bearer) {
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
      : lockedAuthor({ secret, salts: openAuthorSalts(keys, userId, authorSalt).salts });
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

type HoldDeps = Pick<Deps, 'keys' | 'clock'>;

const RETRY_AFTER_SECONDS = 1;

/**
 * Takes a shared lock on the caller's author keys until the transaction ends: for votes and
 * reports, which may run concurrently with each other, but not with a change of the keys
 * (hold_author). Throws like `confirmCaller`.
 */
export async function holdCaller(deps: HoldDeps, trx: Db, caller: Caller): Promise<void> {
  // The same order as in hold_author, which prevents deadlocks.
  const keys = caller.author.keys.toSorted(Buffer.compare);
  const ids = keys.map((key) => key.readBigInt64BE());
  await sql`
    select pg_advisory_xact_lock_shared(id) from unnest(${ids.map(String)}::bigint[]) as id
  `.execute(trx);
  await confirmCaller(deps, trx, caller);
}

/**
 * Checks the session again while the author is locked: locking, unlocking, and deleting the account
 * end all sessions. Throws `authentication_required`, and `unavailable` if a rotation has just added
 * a salt.
 */
export async function confirmCaller(
  deps: HoldDeps,
  trx: Db,
  { userId, sessionId, author }: Caller,
): Promise<void> {
  const account = await findCaller(deps, trx, { userId, sessionId });
  if (!account) throw new AppError('authentication_required');
  if (!author.salt) return;
  const { salts } = openAuthorSalts(deps.keys, userId, account.authorSalt);
  if (!salts[0].equals(author.salt)) throw unavailable(RETRY_AFTER_SECONDS);
}

/**
 * Checks the typed password. The caller must compare the returned hash with the account again in
 * its transaction. Throws a validation error for `field`, or `rate_limited` after too many wrong
 * attempts.
 */
export async function provePassword(
  deps: Pick<Deps, 'db' | 'config'>,
  limits: RateLimits,
  userId: string,
  field: string,
  typed: string,
): Promise<DerivedPassword> {
  const proven = await limits.attempt(`password/${userId}`, [['password', userId]], async () => {
    const account = await findAccount(deps.db, userId);
    if (!account) throw new AppError('authentication_required');
    const { password_hash: hash } = account;
    const wrappingKey = await openPassword(deps, hash, typed);
    return wrappingKey && { hash, wrappingKey };
  });
  if (proven === null) throw wrongPassword(field);
  return proven;
}

export const wrongPassword = (field: string) =>
  new AppError('validation_error', { fields: { [field]: [WRONG_PASSWORD] } });

/**
 * Guards actions that a stolen token must not allow: requires a recent login or the password. If a
 * password is given, it is always checked. Throws `confirm_password`, or a validation error for
 * `password`.
 */
export async function proveFreshness(
  deps: Pick<Deps, 'db' | 'config'>,
  limits: RateLimits,
  { userId, hasFreshLogin }: Pick<Caller, 'userId' | 'hasFreshLogin'>,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) await provePassword(deps, limits, userId, 'password', password);
  else if (!hasFreshLogin) throw new AppError('confirm_password');
}
