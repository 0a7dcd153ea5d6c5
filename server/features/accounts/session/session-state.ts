import { createHash } from 'node:crypto';
import {
  DAY_MS,
  REFRESH_REUSE_GRACE_MS,
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
} from '#contract/limits.ts';
import type { SealingKey } from '#server/anonymity/keys.ts';
import { derive, type Keys } from '#server/anonymity/keys.ts';
import { seal, unseal } from '#server/anonymity/seal.ts';
import type { RefreshClaims } from './tokens.ts';

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
const CONTEXT = 'issued';
/** Fits all remembered times, so that the length does not reveal their number. */
const BLOCK_BYTES = 320;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

const timesKey = (secret: string): SealingKey => ({
  id: 't',
  key: derive(secret, 'issued'),
});

/** Derives each secret from the previous one, so a used token leads to the current one. */
const successorOf = (keys: Pick<Keys, 'sessionIndex'>, secret: string) =>
  keys.sessionIndex('refresh-successor', secret).toString('base64url');

/** When a session expires: after 14 idle days, and after 90 days regardless. */
export function endOf({ authTime, issuedAt }: Pick<RefreshClaims, 'authTime' | 'issuedAt'>): Date {
  const idleEnd = issuedAt + SESSION_IDLE_DAYS * DAY_MS;
  return new Date(Math.min(idleEnd, authTime * 1000 + SESSION_ABSOLUTE_DAYS * DAY_MS));
}

/** The state of a session whose current token has this secret. */
export function stateOf(secret: string, issued: readonly number[]): SessionState {
  const sealed = seal(timesKey(secret), CONTEXT, issued, { blockBytes: BLOCK_BYTES });
  return { current: hashOf(secret), issued: sealed.toString('base64') };
}

const timesOf = ({ issued }: SessionState, secret: string) =>
  unseal<number[]>([timesKey(secret)], CONTEXT, Buffer.from(issued, 'base64'));

export const isCurrent = ({ current }: SessionState, secret: string) => hashOf(secret) === current;

/** Issues the next token. Returns its claims and the new state. */
export function withNextToken(
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
export function currentToken(
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
