import { useSyncExternalStore } from 'react';
import { createApi } from './api.ts';
import { removeAllDrafts } from './drafts.ts';
import { paths } from './paths.ts';
import { createSessionStore, type Session, UNKNOWN_SESSION } from './session-store.ts';
import { createTokenStore, type KeyValueStorage } from './token-store.ts';

/** Where an expired session is no reason to leave (specification, section 8). */
const STAYS_ON_EXPIRY = [
  paths.login(),
  paths.signup(),
  paths.register(),
  paths.forgotPassword(),
  paths.passwordReset(),
  // It signs out everywhere, and has to say what comes next.
  paths.stopEmailChange(),
];

const isBrowser = typeof window !== 'undefined';

/** The server renders the same page for everyone, so there it remembers nothing. */
const NOTHING_STORED: KeyValueStorage = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

const tokens = createTokenStore(
  isBrowser ? window.localStorage : NOTHING_STORED,
  isBrowser ? window : new EventTarget(),
);

/** The one client of this page. Loaders that run on the server use web/lib/server-api.ts. */
export const api = createApi({
  fetch: (...request) => fetch(...request),
  tokens,
  now: Date.now,
  cookies: () => document.cookie,
  locks: isBrowser ? navigator.locks : undefined,
  onSessionEnd() {
    if (!STAYS_ON_EXPIRY.includes(window.location.pathname)) {
      window.location.assign(paths.login({ expired: true }));
    }
  },
});

export const session = createSessionStore({
  api,
  tokens,
  now: Date.now,
  setTimer: (run, ms) => window.setTimeout(run, ms),
  clearTimer: (timer) => window.clearTimeout(timer),
  flag(signedIn) {
    document.documentElement.dataset['session'] = signedIn ? 'in' : 'out';
  },
  forget: () => removeAllDrafts(window.localStorage),
});

export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.get, () => UNKNOWN_SESSION);
}

/** For what there is many of on a page: told of nothing but a change from one to the other. */
export function useIsAuthenticated(): boolean {
  return useSyncExternalStore(
    session.subscribe,
    () => session.get().isAuthenticated,
    () => UNKNOWN_SESSION.isAuthenticated,
  );
}

/** For a `clientLoader` behind the login: settles once the account is known, or is nobody's. */
export function settledSession(): Promise<Session> {
  return new Promise((resolve) => {
    const look = () => {
      const current = session.get();
      if (current.isLoading) return;
      stop();
      resolve(current);
    };
    const stop = session.subscribe(look);
    look();
  });
}
