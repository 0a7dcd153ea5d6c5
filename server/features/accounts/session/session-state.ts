import { createHash } from 'node:crypto';
import {
  DAY_MS,
  REFRESH_REUSE_GRACE_MS,
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
} from '#contract/limits.ts';
import { derive, type Keys } from '#server/anonymity/keys.ts';
import { type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';
import type { RefreshClaims } from './refresh-token.ts';

/**
 * What a session keeps sealed. Nothing in it tells when the account was here: the times are under a
 * key that follows from the token's secret, which the browser alone has.
 */
export interface SessionState {
  /** The hash of the current token's secret. */
  current: string;
  /** When the newest tokens were issued, the current one last; sealed under its secret. */
  issued: string;
}

/** What of a token changes when the next one takes its place. */
type Issued = Pick<RefreshClaims, 'secret' | 'issuedAt'>;

/** More tokens than any client spends within the grace. */
const REMEMBERED = 20;
const CONTEXT = 'issued';
/** As many times as are remembered, so that the length does not tell how many there are. */
const BLOCK_BYTES = 320;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

const timesKey = (secret: string): SealingKey => ({
  id: 't',
  key: derive(secret, 'issued'),
});

/** Each secret follows from the one before, so a spent token leads to the current one. */
const successorOf = (keys: Pick<Keys, 'sessionIndex'>, secret: string) =>
  keys.sessionIndex('refresh-successor', secret).toString('base64url');

/** When a session ends unless it is refreshed: after 14 idle days, and 90 days in any case. */
export function endOf({ authTime, issuedAt }: Pick<RefreshClaims, 'authTime' | 'issuedAt'>): Date {
  const idleEnd = issuedAt + SESSION_IDLE_DAYS * DAY_MS;
  return new Date(Math.min(idleEnd, authTime * 1000 + SESSION_ABSOLUTE_DAYS * DAY_MS));
}

/** The session while a token of these is its current one. */
export function stateOf(secret: string, issued: readonly number[]): SessionState {
  const sealed = seal(timesKey(secret), CONTEXT, issued, { blockBytes: BLOCK_BYTES });
  return { current: hashOf(secret), issued: sealed.toString('base64') };
}

const timesOf = ({ issued }: SessionState, secret: string) =>
  unseal<number[]>([timesKey(secret)], CONTEXT, Buffer.from(issued, 'base64'));

export const isCurrent = ({ current }: SessionState, secret: string) => hashOf(secret) === current;

/** The token after the current one, and the session once it has taken its place. */
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
 * The current token, for one that was spent within the grace. Null when it was spent before, or was
 * never of this session.
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
    // A token is spent when its successor is issued.
    const spentAt = times.at(-steps);
    const issuedAt = times.at(-1);
    if (spentAt === undefined || issuedAt === undefined || !isRecent(spentAt, now)) return null;
    return { secret, issuedAt };
  }
  return null;
}

const isRecent = (time: number, now: Date) => now.getTime() - time <= REFRESH_REUSE_GRACE_MS;
