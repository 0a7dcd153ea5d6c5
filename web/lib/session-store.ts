import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { LOGOUT_TIMEOUT_MS, REFRESH_LEAD_MS, REFRESH_MIN_DELAY_MS } from '#contract/limits.ts';
import type { Api } from './api.ts';
import { createStore } from './store.ts';
import { expiryOf, type TokenStore } from './token-store.ts';
import { ApiError } from './transport-error.ts';

/** What the screens may know (docs/product/accounts.md, "Sessions"). */
export interface Session {
  user: User | null;
  doctor: Doctor | null;
  isAuthenticated: boolean;
  isLoading: boolean;
  isVerifiedDoctor: boolean;
  canPostReviews: boolean;
}

interface Account {
  user: User | null;
  doctor: Doctor | null;
}

export interface SignInAnswer {
  access: string;
  refresh: string;
  user?: User | undefined;
  doctor?: Doctor | null | undefined;
}

const NOBODY: Account = { user: null, doctor: null };

function sessionOf({ user, doctor }: Account, isLoading: boolean): Session {
  return {
    user,
    doctor,
    isLoading,
    isAuthenticated: user !== null,
    isVerifiedDoctor: doctor?.verified ?? false,
    canPostReviews: doctor?.can_post_reviews ?? false,
  };
}

/** What the server renders, and the first paint: nobody is known yet. */
export const UNKNOWN_SESSION = sessionOf(NOBODY, true);

export interface SessionDeps {
  api: Api;
  tokens: TokenStore;
  now: () => number;
  setTimer: (run: () => void, ms: number) => number;
  clearTimer: (timer: number) => void;
  /** Shows the header of someone signed in, or the other. */
  flag: (signedIn: boolean) => void;
  /** Signing out leaves nothing behind in this browser; an expired session leaves the drafts. */
  forget: () => void;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** The states of docs/product/accounts.md, "Sessions". */
export function createSessionStore(deps: SessionDeps) {
  const { api, tokens, now, flag } = deps;
  const session = createStore(UNKNOWN_SESSION);
  let timer: number | null = null;
  /** A renewal, in any tab, changes the tokens but not this. */
  let signedIn = false;

  function show(account: Account, isLoading = false): void {
    session.set(sessionOf(account, isLoading));
  }

  /** Renews the access token two minutes before it ends. */
  function schedule(atLeast = REFRESH_MIN_DELAY_MS): void {
    if (timer !== null) deps.clearTimer(timer);
    timer = null;
    const access = tokens.access();
    if (access === null || tokens.refresh() === null) return;
    const due = (expiryOf(access) ?? now()) - REFRESH_LEAD_MS - now();
    timer = deps.setTimer(() => void renewAhead(access), Math.max(due, atLeast));
  }

  async function renewAhead(access: string): Promise<void> {
    const outcome = await api.renew(access);
    if (outcome === 'refused') api.endSession();
    // Nothing is known and the token may still be good: try again, calmly.
    else if (outcome !== 'renewed') schedule(REFRESH_LEAD_MS / 4);
  }

  /** Both at once, each failure tolerated as null. */
  async function load(): Promise<void> {
    // Reloading a known account keeps it on the screen.
    if (session.get().user === null) show(NOBODY, true);
    const [user, doctor] = await Promise.allSettled([
      api.call(sessionEndpoints.user),
      api.call(sessionEndpoints.doctor),
    ]);
    const failures = [user, doctor].filter((call) => call.status === 'rejected');
    // Without the network nothing was refused, and a reload may find the account again.
    const isRefused = failures.some(
      ({ reason }) => reason instanceof ApiError && reason.status !== null,
    );
    if (failures.length === 2 && isRefused && tokens.access() !== null) tokens.clear();
    if (tokens.access() === null) return show(NOBODY);
    show({
      user: user.status === 'fulfilled' ? user.value : null,
      doctor: doctor.status === 'fulfilled' ? doctor.value : null,
    });
  }

  /** Follows the token store: this tab's sign-in and sign-out, and those of others. */
  function follow(): void {
    const hasToken = tokens.access() !== null;
    flag(hasToken);
    schedule();
    if (hasToken === signedIn) return;
    signedIn = hasToken;
    if (hasToken) void load();
    else show(NOBODY);
  }

  return {
    get: session.get,
    subscribe: session.subscribe,
    initial: session.initial,

    /** Somebody is signed in, though the account may not have been loaded. */
    hasToken: () => tokens.access() !== null,

    /** Once, when the page starts. */
    start(): void {
      tokens.subscribe(follow);
      follow();
      if (!signedIn) show(NOBODY);
    },

    /** After a login or a sign-up; the account is loaded unless the answer brought it. */
    async signIn({ access, refresh, user, doctor }: SignInAnswer): Promise<void> {
      signedIn = true;
      tokens.save({ access, refresh });
      if (user) show({ user, doctor: doctor ?? null });
      else await load();
    },

    /** After a change to the account. */
    reload: load,

    /** After an answer that brought the doctor anew. Whoever signed in meanwhile is left alone. */
    setDoctor(doctor: Doctor): void {
      const { user } = session.get();
      if (user?.id === doctor.user.id) show({ user, doctor });
    },

    /** Signs out here and in every other tab, whatever the server says. */
    async signOut(): Promise<void> {
      const refresh = tokens.refresh();
      try {
        if (refresh !== null) {
          await api.call(sessionEndpoints.logout, {
            body: { refresh },
            timeoutMs: LOGOUT_TIMEOUT_MS,
          });
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      } finally {
        tokens.clear();
        deps.forget();
      }
    },
  };
}
