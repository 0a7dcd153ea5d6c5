import { createHash, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Tokens } from '#contract/accounts.ts';
import {
  REFRESH_REUSE_GRACE_MS,
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
} from '#contract/limits.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { SealError, type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import { readAccessToken, signAccessToken } from './access-token.ts';
import * as queries from './session-queries.ts';

type SessionDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

/** What a session keeps sealed: hashes of its tokens, and times finer than a day. */
interface SessionState {
  current: string;
  previous: string | null;
  /** The current token, sealed under the previous one: who repeats a refresh gets it again. */
  successor: string | null;
  rotatedAt: number;
  endsOn: string;
}

/** What a refresh token says of itself; only the server can read it. */
interface RefreshClaims {
  userId: string;
  sessionId: string;
  secret: string;
}

const stateKey = (keys: Keys): SealingKey => ({ id: 's', key: keys.sessionKey('session-seal') });
const tokenKey = (keys: Keys): SealingKey => ({ id: 'r', key: keys.sessionKey('refresh-token') });
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');
const sameHash = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The session's name for its account: joins to no other table. */
export const accountKey = (keys: Keys, userId: string) =>
  keys.sessionIndex('session-account', userId);

function sealToken(keys: Keys, claims: RefreshClaims): string {
  return seal(tokenKey(keys), 'refresh', claims).toString('base64url');
}

function openToken(keys: Keys, token: string): RefreshClaims | null {
  try {
    return unseal<RefreshClaims>([tokenKey(keys)], 'refresh', Buffer.from(token, 'base64url'));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

const successorKey = (secret: string): SealingKey => ({
  id: 'n',
  key: Buffer.from(hkdfSync('sha256', secret, '', 'curbside/successor', 32)),
});

/** Begins a session and issues its first tokens. */
export async function beginSession(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  userId: string,
): Promise<Tokens> {
  const now = clock();
  const sessionId = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  const state: SessionState = {
    current: hashOf(secret),
    previous: null,
    successor: null,
    rotatedAt: now.getTime(),
    endsOn: dayAfter(now, SESSION_ABSOLUTE_DAYS),
  };
  await queries.insertSession(db, {
    id: sessionId,
    account_key: accountKey(keys, userId),
    sealed: seal(stateKey(keys), sessionId, state),
    expires_on: dayAfter(now, SESSION_IDLE_DAYS),
  });
  return {
    access: await signAccessToken({ keys, clock }, { userId, sessionId }),
    refresh: sealToken(keys, { userId, sessionId, secret }),
  };
}

/**
 * Exchanges a refresh token for new ones. Each is good once; within 30 s of its use it answers
 * the same successor again (a second tab, a lost answer), and after that it ends the session,
 * since someone else has it (RFC 9700, section 4.14.2). Throws `session_expired`.
 */
export async function refreshSession(deps: SessionDeps, token: string): Promise<Tokens> {
  const claims = openToken(deps.keys, token);
  if (!claims) throw new AppError('session_expired');
  const refresh = await deps.db.transaction().execute((trx) => rotate(deps, trx, claims, token));
  if (!refresh) throw new AppError('session_expired');
  return { access: await signAccessToken(deps, claims), refresh };
}

async function rotate(
  { keys, clock }: SessionDeps,
  trx: Db,
  { userId, sessionId, secret }: RefreshClaims,
  token: string,
): Promise<string | null> {
  const now = clock();
  const row = await queries.lockSession(trx, sessionId, accountKey(keys, userId), toDay(now));
  if (!row) return null;
  const state = unseal<SessionState>([stateKey(keys)], sessionId, row.sealed);
  const presented = hashOf(secret);
  if (sameHash(presented, state.current)) {
    const next = randomBytes(32).toString('base64url');
    const refresh = sealToken(keys, { userId, sessionId, secret: next });
    const idleEnd = dayAfter(now, SESSION_IDLE_DAYS);
    const rotated: SessionState = {
      ...state,
      current: hashOf(next),
      previous: presented,
      successor: seal(successorKey(secret), token, refresh).toString('base64'),
      rotatedAt: now.getTime(),
    };
    await queries.updateSession(trx, sessionId, {
      sealed: seal(stateKey(keys), sessionId, rotated),
      expires_on: idleEnd < state.endsOn ? idleEnd : state.endsOn,
    });
    return refresh;
  }
  const isRepeat =
    state.previous !== null &&
    sameHash(presented, state.previous) &&
    now.getTime() - state.rotatedAt <= REFRESH_REUSE_GRACE_MS;
  if (isRepeat && state.successor) {
    return unseal<string>([successorKey(secret)], token, Buffer.from(state.successor, 'base64'));
  }
  await queries.deleteSession(trx, sessionId, accountKey(keys, userId));
  return null;
}

/** Ends the session of a refresh token; one that is unknown or over has ended already. */
export async function endSession({ db, keys }: SessionDeps, token: string): Promise<void> {
  const claims = openToken(keys, token);
  if (!claims) return;
  await queries.deleteSession(db, claims.sessionId, accountKey(keys, claims.userId));
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
  const { userId, sessionId } = claims;
  const account = await queries.findCaller(deps.db, {
    userId,
    sessionId,
    accountKey: accountKey(deps.keys, userId),
    today: toDay(deps.clock()),
  });
  return account ? { userId, sessionId, ...account } : null;
}
