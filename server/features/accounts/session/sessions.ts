import { randomBytes, randomUUID } from 'node:crypto';
import type { Tokens } from '#contract/accounts.ts';
import { dayAfter } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { inSeconds, signAccessToken } from './access-token.ts';
import { openRefreshToken, type RefreshClaims, sealRefreshToken } from './refresh-token.ts';
import * as queries from './session-queries.ts';
import {
  currentToken,
  endOf,
  isCurrent,
  type SessionState,
  stateOf,
  withNextToken,
} from './session-state.ts';

type SessionDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

const stateKey = (keys: Keys): SealingKey => ({ id: 's', key: keys.sessionKey('session-seal') });

/** The session's name for its account: joins to no other table. */
export const accountKey = (keys: Keys, userId: string) =>
  keys.sessionIndex('session-account', userId);

/** A session as it is stored: its end rounded up to the day, all else sealed. */
function toColumns(keys: Keys, claims: RefreshClaims, state: SessionState) {
  const { sessionId } = claims;
  return { sealed: seal(stateKey(keys), sessionId, state), expires_on: dayAfter(endOf(claims), 0) };
}

async function tokensOf(deps: Pick<Deps, 'keys' | 'clock'>, claims: RefreshClaims) {
  return {
    access: await signAccessToken(deps, claims, endOf(claims)),
    refresh: sealRefreshToken(deps.keys, claims),
  };
}

/**
 * Begins a session for someone who has just typed the password, and issues its first tokens. They
 * carry the author secret of an account that has locked its reviews.
 */
export async function beginSession(
  deps: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  userId: string,
  authorSecret: Buffer | null = null,
): Promise<Tokens> {
  const { keys, clock } = deps;
  const issuedAt = clock().getTime();
  const authTime = inSeconds(issuedAt);
  const secret = randomBytes(32).toString('base64url');
  const claims = { userId, authorSecret, sessionId: randomUUID(), authTime, secret, issuedAt };
  await queries.insertSession(db, {
    id: claims.sessionId,
    account_key: accountKey(keys, userId),
    ...toColumns(keys, claims, stateOf(secret, [issuedAt])),
  });
  return tokensOf(deps, claims);
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
  const current = await limits.attempt(`refresh/${sessionId}`, [['refresh', sessionId]], () =>
    inTransaction(deps.db, (trx) => spendToken(deps, trx, claims)),
  );
  if (!current) throw new AppError('session_expired');
  return tokensOf(deps, current);
}

async function spendToken(
  { keys, clock }: SessionDeps,
  trx: Db,
  claims: RefreshClaims,
): Promise<RefreshClaims | null> {
  const { userId, sessionId, secret } = claims;
  const now = clock();
  const sealed = await queries.lockSession(trx, sessionId, accountKey(keys, userId));
  if (!sealed || now >= endOf(claims)) return null;
  const state = unseal<SessionState>([stateKey(keys)], sessionId, sealed);
  if (isCurrent(state, secret)) {
    const next = withNextToken(keys, state, secret, now);
    const current = { ...claims, ...next.token };
    await queries.updateSession(trx, sessionId, toColumns(keys, current, next.state));
    return current;
  }
  const current = currentToken(keys, state, secret, now);
  if (!current) await queries.deleteSession(trx, sessionId, accountKey(keys, userId));
  return current && { ...claims, ...current };
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
