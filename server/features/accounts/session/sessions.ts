import { randomBytes, randomUUID } from 'node:crypto';
import type { Tokens } from '#contract/accounts.ts';
import type { RepresentativeState } from '#contract/representatives.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys, SealingKey } from '#server/anonymity/keys.ts';
import { seal, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { unwrapSecret } from '#server/features/accounts/credentials/author-secret.ts';
import type { DerivedPassword } from '#server/features/accounts/credentials/passwords.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import { currentRoles, holdAccount } from '../identity/account-queries.ts';
import * as queries from './session-queries.ts';
import {
  currentToken,
  endOf,
  isCurrent,
  type SessionState,
  stateOf,
  withNextToken,
} from './session-state.ts';
import {
  inSeconds,
  openRefreshToken,
  type RefreshClaims,
  sealRefreshToken,
  signAccessToken,
} from './tokens.ts';

type SessionDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;

const stateKey = (keys: Keys): SealingKey => ({ id: 's', key: keys.sessionKey('session-seal') });

/** A keyed hash of the account id that no other table contains. */
const accountKey = (keys: Keys, userId: string) => keys.sessionIndex('session-account', userId);

/** The columns of a session: its expiry rounded up to a day, everything else sealed. */
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
 * Starts a session after a login, and issues its first tokens. Tokens of accounts with locked
 * reviews contain the author secret.
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
 * Starts a session after a password was proven, in a transaction that writes nothing else: a shared
 * one would tie the session to the account's row (`xmin`). Null if the password has changed since, or
 * the account is gone: both end all sessions, so the old password must not start another.
 */
export function openSession(
  deps: SessionDeps,
  userId: string,
  { hash, wrappingKey }: DerivedPassword,
): Promise<Tokens | null> {
  return inTransaction(deps.db, async (trx) => {
    const account = await holdAccount(trx, userId);
    if (account?.password_hash !== hash) return null;
    return beginSession(deps, trx, userId, unwrapSecret(wrappingKey, account.author_secret));
  });
}

/**
 * Exchanges a refresh token for new ones. Each token works once. Within 30 s of its use, it returns
 * its successor again (a second tab, a lost response). After that, its reuse ends the session,
 * because someone else has the token (RFC 9700, section 4.14.2). Throws `session_expired`.
 */
export async function refreshSession(
  deps: SessionDeps,
  limits: RateLimits,
  token: string,
): Promise<Tokens> {
  const claims = openRefreshToken(deps.keys, token);
  // Forged tokens reach neither the database nor a rate limit.
  if (!claims) throw new AppError('session_expired');
  const { sessionId } = claims;
  const current = await limits.attempt(`refresh/${sessionId}`, [['refresh', sessionId]], () =>
    inTransaction(deps.db, (trx) => spendToken(deps, trx, claims)),
  );
  if (!current) throw new AppError('session_expired');
  return tokensOf(deps, current);
}

async function spendToken({ keys, clock }: SessionDeps, trx: Db, claims: RefreshClaims) {
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

/** Ends the session of a refresh token, if it exists. */
export async function endSession({ db, keys }: SessionDeps, token: string): Promise<void> {
  const claims = openRefreshToken(keys, token);
  if (!claims) return;
  await queries.deleteSession(db, claims.sessionId, accountKey(keys, claims.userId));
}

/** Ends all sessions of an account, except `kept`. */
export function endSessionsOf(keys: Keys, db: Db, userId: string, kept?: string): Promise<void> {
  return queries.deleteSessionsOf(db, accountKey(keys, userId), kept);
}

/** What the access policy needs to know about an account; undefined if the session has ended. */
export async function findCaller(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
) {
  const row = await db
    .selectFrom('users')
    .leftJoin('doctors', 'doctors.user_id', 'users.id')
    .leftJoin('representatives', 'representatives.user_id', 'users.id')
    .select([
      'users.author_salt',
      'doctors.verified',
      'doctors.can_post_reviews',
      'representatives.state',
    ])
    .select(currentRoles)
    .where('users.id', '=', userId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('sessions')
          .select('sessions.id')
          .where('sessions.id', '=', sessionId)
          .where('sessions.account_key', '=', accountKey(keys, userId))
          .where('sessions.expires_on', '>', toDay(clock())),
      ),
    )
    .executeTakeFirst();
  return (
    row && {
      roles: row.roles,
      authorSalt: row.author_salt,
      representation: row.state as RepresentativeState | null,
      verified: row.verified ?? false,
      canPostReviews: row.can_post_reviews ?? false,
    }
  );
}

/** Whether the caller's session still exists. */
export function holdsSession(
  keys: Keys,
  db: Db,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
): Promise<boolean> {
  return queries.hasSession(db, sessionId, accountKey(keys, userId));
}
