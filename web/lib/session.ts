import { createApi } from './api.ts';
import { paths } from './paths.ts';
import { createSessionStore, type Session } from './session-store.ts';
import { browserEvents, browserStorage, createStore, removeAllDrafts, useStore } from './store.ts';
import { createTokenStore } from './token-store.ts';

/** Pages to stay on when the session expires (docs/product/accounts.md, "Sessions"). */
const STAYS_ON_EXPIRY = [
  paths.login(),
  paths.signup(),
  paths.register(),
  paths.forgotPassword(),
  paths.passwordReset(),
  // It signs out everywhere, and shows what to do next.
  paths.stopEmailChange(),
];

const tokens = createTokenStore(browserStorage, browserEvents);

/** The API client of the browser. Loaders on the server use web/lib/render-context.ts. */
export const api = createApi({
  fetch: (...request) => fetch(...request),
  tokens,
  now: Date.now,
  cookies: () => document.cookie,
  locks: typeof window === 'undefined' ? undefined : navigator.locks,
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
  forget: () => removeAllDrafts(browserStorage),
  leave() {
    document.body.replaceChildren();
    window.location.reload();
  },
});

export const useSession = (): Session => useStore(session, (current) => current);

/** Re-renders only when the user signs in or out. */
export const useIsAuthenticated = (): boolean =>
  useStore(session, ({ isAuthenticated }) => isAuthenticated);

/** Whether a sign-up has just succeeded, which the next page says. */
export const joined = createStore(false);

/** For a `clientLoader`: resolves once it is known who is signed in, if anyone. */
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
