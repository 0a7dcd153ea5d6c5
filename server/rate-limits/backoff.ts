import { MINUTE_MS } from '#contract/limits.ts';

/** Stored times are rounded to this: an exact one would reveal when somebody was here. */
const STEP_MS = 5 * MINUTE_MS;
const MAX_WAIT_MS = 60 * MINUTE_MS;

/**
 * Until when the latest failure or refused attempt blocks a counter with backoff; null while it has
 * points left. Waits 5 to 10 minutes at first, then 10, 20, 40, and 60, each rounded up.
 */
export function blockedUntil(count: number, points: number, now: Date): Date | null {
  const beyond = count - points;
  if (beyond < 0) return null;
  const wait = Math.min(STEP_MS * 2 ** Math.min(beyond, 10), MAX_WAIT_MS);
  return new Date((Math.floor((now.getTime() + wait) / STEP_MS) + 1) * STEP_MS);
}
