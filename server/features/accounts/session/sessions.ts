import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Insertable, Updateable } from 'kysely';
import type { Tokens } from '#contract/accounts/accounts.ts';
import {
  DAY_MS,
  REFRESH_REUSE_GRACE_MS,
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
} from '#contract/limits.ts';
import type { RepresentativeState } from '#contract/replies/representatives.ts';
import { dayAfter, toDay } from '#server/anonymity/coarse-time.ts';
import { derive, type Keys, type SealingKey } from '#server/anonymity/keys.ts';
import { seal, unseal } from '#server/anonymity/seal.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { unwrapSecret } from '#server/features/accounts/credentials/author-secret.ts';
import type { DerivedPassword } from '#server/features/accounts/credentials/passwords.ts';
import { currentRoles, holdAccount } from '#server/features/accounts/identity/account-queries.ts';
import type { Caller } from '#server/plugins/access.ts';
import type { RateLimits } from '#server/rate-limits/rate-limits.ts';
import {
  inSeconds,
  openRefreshToken,
  type RefreshClaims,
  sealRefreshToken,
  signAccessToken,
} from './tokens.ts';

async function insertSession(db: Db, session: Insertable<DB['sessions']>) {
  await db.insertInto('sessions').values(session).execute();
}

/** The state of a session, locked until the transaction ends. */
async function lockSession(trx: Db, id: string, key: Buffer): Promise<Buffer | null> {
  const session = await trx
    .selectFrom('sessions')
    .select('sealed')
    .where('id', '=', id)
    .where('account_key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  return session?.sealed ?? null;
}

async function updateSession(trx: Db, id: string, change: Updateable<DB['sessions']>) {
  await trx.updateTable('sessions').set(change).where('id', '=', id).execute();
}

async function deleteSession(db: Db, id: string, key: Buffer) {
  await db.deleteFrom('sessions').where('id', '=', id).where('account_key', '=', key).execute();
}

export async function deleteExpiredSessions(db: Db, today: string): Promise<void> {
  await db.deleteFrom('sessions').where('expires_on', '<=', today).execute();
}

/**
 * The sealed state of a session. Times are encrypted with a key derived from the token's secret,
 * which only the browser has, so the server cannot tell when the user was active.
 */
export interface SessionState {
  /** Hash of the current token's secret. */
  current: string;
  /** Issue times of recent tokens, oldest first, encrypted with the current secret. */
  issued: string;
}

/** The claims that change from one token to the next. */
type Issued = Pick<RefreshClaims, 'secret' | 'issuedAt'>;

/** More tokens than any client uses within the grace period. */
const REMEMBERED = 20;
const TIMES_CONTEXT = 'issued';
/** Fits all remembered times, so that the length does not reveal their number. */
const TIMES_BLOCK_BYTES = 320;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

const timesKey = (secret: string): SealingKey => ({
  id: 't',
  key: derive(secret, 'issued'),
});

/** Derives each secret from the previous one, so a used token leads to the current one. */
const successorOf = (keys: Pick<Keys, 'sessionIndex'>, secret: string) =>
  keys.sessionIndex('refresh-successor', secret).toString('base64url');

/** When a session expires: after 14 idle days, and after 90 days regardless. */
function endOf({ authTime, issuedAt }: Pick<RefreshClaims, 'authTime' | 'issuedAt'>): Date {
  const idleEnd = issuedAt + SESSION_IDLE_DAYS * DAY_MS;
  return new Date(Math.min(idleEnd, authTime * 1000 + SESSION_ABSOLUTE_DAYS * DAY_MS));
}

/** The state of a session whose current token has this secret. */
function stateOf(secret: string, issued: readonly number[]): SessionState {
  const sealed = seal(timesKey(secret), TIMES_CONTEXT, issued, { blockBytes: TIMES_BLOCK_BYTES });
  return { current: hashOf(secret), issued: sealed.toString('base64') };
}

const timesOf = ({ issued }: SessionState, secret: string) =>
  unseal<number[]>([timesKey(secret)], TIMES_CONTEXT, Buffer.from(issued, 'base64'));

const isCurrent = ({ current }: SessionState, secret: string) => hashOf(secret) === current;

/** Issues the next token. Returns its claims and the new state. */
function withNextToken(
  keys: Pick<Keys, 'sessionIndex'>,
  state: SessionState,
  secret: string,
  now: Date,
): { token: Issued; state: SessionState } {
  const issuedAt = now.getTime();
  const recent = timesOf(state, secret).filter((time) => isRecent(time, now));
  const next = successorOf(keys, secret);
  const times = [...recent, issuedAt].slice(-REMEMBERED);
  return { token: { secret: next, issuedAt }, state: stateOf(next, times) };
}

/**
 * Finds the current token for one used within the grace period. Null if it was used earlier, or
 * belongs to another session.
 */
function currentToken(
  keys: Pick<Keys, 'sessionIndex'>,
  state: SessionState,
  spent: string,
  now: Date,
): Issued | null {
  let secret = spent;
  for (let steps = 1; steps <= REMEMBERED; steps += 1) {
    secret = successorOf(keys, secret);
    if (!isCurrent(state, secret)) continue;
    const times = timesOf(state, secret);
    // A token is used when its successor is issued.
    const spentAt = times.at(-steps);
    const issuedAt = times.at(-1);
    if (spentAt === undefined || issuedAt === undefined || !isRecent(spentAt, now)) return null;
    return { secret, issuedAt };
  }
  return null;
}

const isRecent = (time: number, now: Date) => now.getTime() - time <= REFRESH_REUSE_GRACE_MS;

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
  await insertSession(db, {
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
  const sealed = await lockSession(trx, sessionId, accountKey(keys, userId));
  if (!sealed || now >= endOf(claims)) return null;
  const state = unseal<SessionState>([stateKey(keys)], sessionId, sealed);
  if (isCurrent(state, secret)) {
    const next = withNextToken(keys, state, secret, now);
    const current = { ...claims, ...next.token };
    await updateSession(trx, sessionId, toColumns(keys, current, next.state));
    return current;
  }
  const current = currentToken(keys, state, secret, now);
  if (!current) await deleteSession(trx, sessionId, accountKey(keys, userId));
  return current && { ...claims, ...current };
}

/** Ends the session of a refresh token, if it exists. */
export async function endSession({ db, keys }: SessionDeps, token: string): Promise<void> {
  const claims = openRefreshToken(keys, token);
  if (!claims) return;
  await deleteSession(db, claims.sessionId, accountKey(keys, claims.userId));
}

/** Ends all sessions of an account, except `kept`. */
export async function endSessionsOf(
  keys: Keys,
  db: Db,
  userId: string,
  kept?: string,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_key', '=', accountKey(keys, userId))
    .$if(kept !== undefined, (q) => q.where('id', '!=', kept ?? ''))
    .execute();
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
export async function holdsSession(
  keys: Keys,
  db: Db,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_key', '=', accountKey(keys, userId))
    .executeTakeFirst();
  return session !== undefined;
}
