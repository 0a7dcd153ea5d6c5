import { isUsable, type TokenStore } from './token-store.ts';
import { ApiError } from './transport-error.ts';

/**
 * `refused`: the refresh token is invalid or missing. `failed`: the server had an error.
 * `unreachable`: there was no response.
 */
export type RenewalOutcome = 'renewed' | 'refused' | 'failed' | 'unreachable';

export interface RenewalDeps {
  tokens: TokenStore;
  now: () => number;
  /** `POST /auth/token/refresh/`; throws an ApiError. */
  exchange: (refresh: string) => Promise<{ access: string; refresh?: string }>;
  /** Web Locks, which work across tabs. Undefined if the browser has none. */
  locks: Pick<LockManager, 'request'> | undefined;
}

const LOCK = 'curbside-token-refresh';

/** What another tab has stored may take a moment to reach this tab's process. */
const STORAGE_LAG_MS = 250;

/**
 * Renews the access token. Only one renewal runs at a time in this tab and, with the lock, in all
 * tabs. A second caller gets the first one's result, and a second tab finds the first one's new
 * token.
 */
export function createRenewal({ tokens, now, exchange, locks }: RenewalDeps) {
  let underWay: Promise<RenewalOutcome> | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** Runs exclusively: in all tabs with Web Locks, otherwise in this tab. */
  const inTurn = <T>(work: () => Promise<T>) => withLock({}, work);

  function inTurnHere<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Some browsers have no locks, or refuse them if the reader blocks site data. */
  async function withLock<T>(
    options: LockOptions,
    work: (isHeld: boolean) => Promise<T>,
  ): Promise<T> {
    let isGranted = false;
    try {
      if (locks) {
        return await locks.request(LOCK, options, (lock) => {
          isGranted = true;
          return work(lock !== null);
        });
      }
    } catch (error) {
      if (isGranted) throw error;
    }
    return inTurnHere(() => work(true));
  }

  async function renewFrom(stale: string | null): Promise<RenewalOutcome> {
    const access = tokens.access();
    if (access !== stale && isUsable(tokens, now())) return 'renewed';
    const refresh = tokens.refresh();
    if (refresh === null) return 'refused';
    try {
      const renewed = await exchange(refresh);
      if (tokens.refresh() === refresh) {
        tokens.save(renewed);
        return 'renewed';
      }
    } catch (error) {
      const outcome = outcomeOf(error);
      if (tokens.refresh() === refresh) return outcome;
    }
    // The user has signed out, which the response must not undo, or another tab has a new session.
    return tokens.refresh() === null ? 'refused' : 'renewed';
  }

  /** Waits briefly for the tokens that another tab has renewed. */
  function changeOf(stale: string | null): Promise<void> {
    return new Promise((resolve) => {
      if (tokens.access() !== stale) return resolve();
      const stop = tokens.subscribe(done);
      const timer = setTimeout(done, STORAGE_LAG_MS);
      function done() {
        stop();
        clearTimeout(timer);
        resolve();
      }
    });
  }

  async function renewInTurn(stale: string | null): Promise<RenewalOutcome> {
    const ifFirst = { ifAvailable: true };
    const outcome = await withLock(ifFirst, async (isHeld) => (isHeld ? renewFrom(stale) : null));
    if (outcome !== null) return outcome;
    return inTurn(async () => {
      await changeOf(stale);
      return renewFrom(stale);
    });
  }

  /** `stale` is the access token to replace. */
  function renew(stale: string | null): Promise<RenewalOutcome> {
    underWay ??= renewInTurn(stale).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return { renew, inTurn };
}

function outcomeOf(error: unknown): RenewalOutcome {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === null) return 'unreachable';
  return [400, 401, 403].includes(error.status) ? 'refused' : 'failed';
}
