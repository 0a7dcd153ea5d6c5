import { MINUTE_MS } from '#contract/limits.ts';

/** Stored times are rounded to this. Exact ones would reveal when someone used the site. */
const STEP_MS = 5 * MINUTE_MS;
const MAX_WAIT_MS = 60 * MINUTE_MS;

/**
 * When the block by the latest failure or rejected attempt ends; null while the counter has points
 * left. Waits 5 to 10 minutes at first, then 10, 20, 40, and 60, each rounded up.
 */
export function blockedUntil(count: number, points: number, now: Date): Date | null {
  const beyond = count - points;
  if (beyond < 0) return null;
  const wait = Math.min(STEP_MS * 2 ** Math.min(beyond, 10), MAX_WAIT_MS);
  return new Date((Math.floor((now.getTime() + wait) / STEP_MS) + 1) * STEP_MS);
}
