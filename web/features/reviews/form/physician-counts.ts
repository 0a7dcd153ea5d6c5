import { apiPath } from '#contract/api-path.ts';
import { physicianCountEndpoints } from '#contract/endpoints/reviews.ts';
import { API_TIMEOUT_MS } from '#contract/limits.ts';
import type { PhysicianCounts } from '#contract/physician-counts.ts';

const loaded = new Map<string, Promise<PhysicianCounts | null>>();

/**
 * The counts of a state, requested until they arrive once. Null if they cannot be loaded. Bypasses the API client, so
 * that the request has no token or cookie that identifies the user.
 */
export function countsOf(state: string): Promise<PhysicianCounts | null> {
  const known = loaded.get(state);
  if (known) return known;
  const counts = load(state).catch(() => {
    loaded.delete(state);
    return null;
  });
  loaded.set(state, counts);
  return counts;
}

async function load(state: string): Promise<PhysicianCounts> {
  const path = apiPath(physicianCountEndpoints.read, { query: { state } });
  const answer = await fetch(`/api${path}`, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(API_TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}
