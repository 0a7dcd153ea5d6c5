import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Tokens } from '#contract/accounts.ts';
import { FRESH_LOGIN_MS } from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { inSeconds, readAccessToken, signAccessToken } from './access-token.ts';
import { openRefreshToken, type RefreshClaims, sealRefreshToken } from './refresh-token.ts';
import { endOf, hashOf, rotated, type SessionState, successorOf } from './rotation.ts';
import * as queries from './session-queries.ts';

type SessionDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

const stateKey = (keys: Keys): SealingKey => ({ id: 's', key: keys.sessionKey('session-seal') });

/** The session's name for its account: joins to no other table. */
const accountKey = (keys: Keys, userId: string) => keys.sessionIndex('session-account', userId);

const newSecret = () => randomBytes(32).toString('base64url');

/** A session as it is stored: its end rounded up to the day, all else sealed. */
function toColumns(keys: Keys, sessionId: string, state: SessionState) {
  return { sealed: seal(stateKey(keys), sessionId, state), expires_on: dayAfter(endOf(state), 0) };
}

/** Begins a session for someone who has just typed the password, and issues its first tokens. */
export async function beginSession(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  userId: string,
): Promise<Tokens> {
  const { keys, clock } = deps;
  const now = clock().getTime();
  const sessionId = randomUUID();
  const secret = newSecret();
  const state: SessionState = {
    current: hashOf(secret),
    startedAt: now,
    rotatedAt: now,
    spent: [],
  };
  await queries.insertSession(db, {
    id: sessionId,
    account_key: accountKey(keys, userId),
    ...toColumns(keys, sessionId, state),
  });
  const claims = { userId, sessionId, authTime: inSeconds(now) };
  return {
    access: await signAccessToken(deps, claims, endOf(state)),
    refresh: sealRefreshToken(keys, { ...claims, secret }),
  };
}

/**
 * Exchanges a refresh token for new ones. Each is good once; within 30 s of its use it answers
 * its successor again (a second tab, a lost answer), and after that it ends the session, since
 * someone else has it (RFC 9700, section 4.14.2). Throws `session_expired`.
 */
export async function refreshSession(
  deps: SessionDeps,
  limits: RateLimits,
  token: string,
): Promise<Tokens> {
  const claims = openRefreshToken(deps.keys, token);
  // What is no token of ours reaches neither the database nor a limit.
  if (!claims) throw new AppError('session_expired');
  const { sessionId } = claims;
  const rotation = await limits.attempt(`refresh/${sessionId}`, [['refresh', sessionId]], () =>
    inTransaction(deps.db, (trx) => rotate(deps, trx, claims)),
  );
  if (!rotation) throw new AppError('session_expired');
  const { refresh, endsAt } = rotation;
  return { access: await signAccessToken(deps, claims, endsAt), refresh };
}

async function rotate(
  { keys, clock }: SessionDeps,
  trx: Db,
  claims: RefreshClaims,
): Promise<{ refresh: string; endsAt: Date } | null> {
  const { userId, sessionId, secret } = claims;
  const now = clock();
  const tokenWith = (fresh: string, state: SessionState) => ({
    refresh: sealRefreshToken(keys, { ...claims, secret: fresh }),
    endsAt: endOf(state),
  });
  const sealed = await queries.lockSession(trx, sessionId, accountKey(keys, userId));
  if (!sealed) return null;
  const state = unseal<SessionState>([stateKey(keys)], sessionId, sealed);
  if (now >= endOf(state)) return null;
  if (hashOf(secret) !== state.current) {
    const current = currentSecret(state, secret, now);
    if (current === null) await queries.deleteSession(trx, sessionId, accountKey(keys, userId));
    return current === null ? null : tokenWith(current, state);
  }
  const next = newSecret();
  const successor = rotated(state, secret, next, now);
  await queries.updateSession(trx, sessionId, toColumns(keys, sessionId, successor));
  return tokenWith(next, successor);
}

/** From a secret spent a moment ago to the current one; null when there is no way. */
function currentSecret(state: SessionState, spent: string, now: Date): string | null {
  let secret: string | null = spent;
  while (secret !== null && hashOf(secret) !== state.current) {
    secret = successorOf(state, secret, now);
  }
  return secret;
}

/** Ends the session of a refresh token; one that is unknown or over has ended already. */
export async function endSession({ db, keys }: SessionDeps, token: string): Promise<void> {
  const claims = openRefreshToken(keys, token);
  if (!claims) return;
  await queries.deleteSession(db, claims.sessionId, accountKey(keys, claims.userId));
}

/** Ends every session of an account, or every one but `kept`. */
export function endSessionsOf(keys: Keys, db: Db, userId: string, kept?: string): Promise<void> {
  return queries.deleteSessionsOf(db, accountKey(keys, userId), kept);
}

/** Whether the caller's session still stands. */
export function holdsSession(
  keys: Keys,
  db: Db,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
): Promise<boolean> {
  return queries.hasSession(db, sessionId, accountKey(keys, userId));
}

/** Who calls, by the bearer token (RFC 6750) and the session and account behind it. */
export async function authenticate(
  deps: SessionDeps,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Caller | null> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token) return null;
  const claims = await readAccessToken(deps, token);
  if (!claims) return null;
  const { userId, sessionId, authTime } = claims;
  const now = deps.clock();
  const account = await queries.findCaller(deps.db, {
    userId,
    sessionId,
    accountKey: accountKey(deps.keys, userId),
    today: toDay(now),
  });
  const hasFreshLogin = now.getTime() - authTime * 1000 < FRESH_LOGIN_MS;
  return account ? { userId, sessionId, hasFreshLogin, ...account } : null;
}
