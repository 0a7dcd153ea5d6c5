import { createHash, hkdfSync } from 'node:crypto';
import {
  DAY_MS,
  REFRESH_REUSE_GRACE_MS,
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
} from '#contract/limits.ts';
import { type SealingKey, seal, unseal } from '#server/anonymity/seal.ts';

/** What a session keeps sealed: the hash of its token, and times finer than a day. */
export interface SessionState {
  current: string;
  startedAt: number;
  rotatedAt: number;
  /** The tokens spent in the last seconds, oldest first. */
  spent: SpentToken[];
}

/**
 * A token that was exchanged. The secret of its successor is sealed under its own: whoever repeats
 * it gets the same successor again.
 */
interface SpentToken {
  hash: string;
  at: number;
  successor: string;
}

/** More than any client spends within the grace. */
const SPENT_KEPT = 20;

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

const successorKey = (secret: string): SealingKey => ({
  id: 'n',
  key: Buffer.from(hkdfSync('sha256', secret, '', 'curbside/successor', 32)),
});

/** When a session ends unless it is refreshed: after 14 idle days, and 90 days in any case. */
export function endOf({ startedAt, rotatedAt }: SessionState): Date {
  const idleEnd = rotatedAt + SESSION_IDLE_DAYS * DAY_MS;
  return new Date(Math.min(idleEnd, startedAt + SESSION_ABSOLUTE_DAYS * DAY_MS));
}

/** The session after the secret of its current token was exchanged for `next`. */
export function rotated(
  state: SessionState,
  secret: string,
  next: string,
  now: Date,
): SessionState {
  const hash = hashOf(secret);
  const successor = seal(successorKey(secret), hash, next).toString('base64');
  const at = now.getTime();
  const recent = state.spent.filter((spent) => isRecent(spent, now));
  return {
    ...state,
    current: hashOf(next),
    rotatedAt: at,
    spent: [...recent, { hash, at, successor }].slice(-SPENT_KEPT),
  };
}

/** What followed a secret spent within the grace; null when it was spent before, or never known. */
export function successorOf(state: SessionState, secret: string, now: Date): string | null {
  const hash = hashOf(secret);
  const spent = state.spent.find((one) => one.hash === hash);
  if (!spent || !isRecent(spent, now)) return null;
  return unseal<string>([successorKey(secret)], hash, Buffer.from(spent.successor, 'base64'));
}

const isRecent = ({ at }: SpentToken, now: Date) => now.getTime() - at <= REFRESH_REUSE_GRACE_MS;
