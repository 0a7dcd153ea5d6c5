import type { TokenStore } from './token-store.ts';
import { isUsable } from './token-store.ts';
import { ApiError } from './transport-error.ts';

/**
 * `refused`: the refresh token is not good, or there is none. `failed`: the server answered, but
 * could not tell. `unreachable`: nothing answered, so nothing is known.
 */
export type RenewalOutcome = 'renewed' | 'refused' | 'failed' | 'unreachable';

export interface RenewalDeps {
  tokens: TokenStore;
  now: () => number;
  /** `POST /auth/token/refresh/`; throws an ApiError. */
  exchange: (refresh: string) => Promise<{ access: string; refresh?: string }>;
  /** Held across tabs (Web Locks); absent where the browser has none. */
  locks: Pick<LockManager, 'request'> | undefined;
}

const LOCK = 'curbside-token-refresh';

/**
 * Renews the access token: one renewal at a time in this tab and, through the lock, in all tabs.
 * A second caller gets the first one's outcome; a second tab finds the first one's new token.
 */
export function createRenewal({ tokens, now, exchange, locks }: RenewalDeps) {
  let underWay: Promise<RenewalOutcome> | null = null;

  async function renewFrom(stale: string | null): Promise<RenewalOutcome> {
    const access = tokens.access();
    if (access !== stale && isUsable(access, now())) return 'renewed';
    const refresh = tokens.refresh();
    if (refresh === null) return 'refused';
    try {
      const renewed = await exchange(refresh);
      // Signed out meanwhile: the answer must not sign in again.
      if (tokens.refresh() !== refresh) return tokens.refresh() === null ? 'refused' : 'renewed';
      tokens.save(renewed);
      return 'renewed';
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /** `stale` is the access token that is to be replaced. */
  return function renew(stale: string | null): Promise<RenewalOutcome> {
    underWay ??= Promise.resolve(
      locks ? locks.request(LOCK, () => renewFrom(stale)) : renewFrom(stale),
    ).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

function outcomeOf(error: unknown): RenewalOutcome {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === null) return 'unreachable';
  return [400, 401, 403].includes(error.status) ? 'refused' : 'failed';
}
