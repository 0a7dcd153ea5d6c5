import type { LoginResponse, Tokens, User } from '#contract/accounts/accounts.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { REFRESH_LEAD_MS, REFRESH_MIN_DELAY_MS } from '#contract/limits.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import type { Api } from './api.ts';
import { createStore } from './store.ts';
import { ownerOf, type TokenStore } from './token-store.ts';
import { ApiError } from './transport-error.ts';

/** Who is signed in (docs/product/accounts.md, "Sessions"). */
export interface Session {
  user: User | null;
  doctor: Doctor | null;
  isAuthenticated: boolean;
  isLoading: boolean;
  isVerifiedDoctor: boolean;
  canPostReviews: boolean;
}

type Account = Pick<Session, 'user' | 'doctor'>;

type SignInAnswer = Tokens & Partial<Pick<LoginResponse, 'user' | 'doctor'>>;

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

/** On the server and at first paint, the user is not known yet. */
export const UNKNOWN_SESSION = sessionOf(NOBODY, true);

interface SessionDeps {
  api: Api;
  tokens: TokenStore;
  now: () => number;
  setTimer: (run: () => void, ms: number) => number;
  clearTimer: (timer: number) => void;
  /** Switches between the header for signed-in users and the one for visitors. */
  flag: (signedIn: boolean) => void;
  /** Deletes the drafts on a sign-out. An expired session keeps them. */
  forget: () => void;
  /** Removes everything from the screen and loads the page anew. */
  leave: () => void;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** The states of docs/product/accounts.md, "Sessions". */
export function createSessionStore(deps: SessionDeps) {
  const { api, tokens, now, flag } = deps;
  const session = createStore(UNKNOWN_SESSION);
  let timer: number | null = null;
  /** The account whose data the page may show. A renewal changes the tokens, but not this. */
  let owner: string | null = null;

  function show(account: Account, isLoading = false): void {
    session.set(sessionOf(account, isLoading));
  }

  /** Renews the access token two minutes before it expires. */
  function schedule(atLeast = REFRESH_MIN_DELAY_MS): void {
    if (timer !== null) deps.clearTimer(timer);
    timer = null;
    const access = tokens.access();
    if (access === null || tokens.refresh() === null) return;
    const due = (tokens.expiry() ?? now()) - REFRESH_LEAD_MS - now();
    timer = deps.setTimer(() => void renewAhead(access), Math.max(due, atLeast));
  }

  async function renewAhead(access: string): Promise<void> {
    const outcome = await api.renew(access);
    // Someone may have signed out meanwhile.
    if (outcome === 'refused' && tokens.access() !== null) api.endSession();
    // The token may still be valid: try again later.
    if (outcome === 'failed' || outcome === 'unreachable') schedule(REFRESH_LEAD_MS / 4);
  }

  /**
   * Loads the user and the doctor at once. At the start, an error leaves the value null. Later, it
   * leaves what is known, unless the server says that it is not so.
   */
  async function load(): Promise<void> {
    const isShown = session.get().user !== null;
    // While a known account is reloaded, it stays on the screen.
    if (!isShown) show(NOBODY, true);
    const loading = owner;
    const [user, doctor] = await Promise.allSettled([
      api.call(sessionEndpoints.user),
      api.call(sessionEndpoints.doctor),
    ]);
    // Somebody else has signed in or out in the meantime.
    if (owner !== loading) return;
    // A network error does not end the session: a reload may find the account again.
    const isRefusal = ({ reason }: PromiseRejectedResult) =>
      reason instanceof ApiError &&
      reason.status !== null &&
      !(isShown && (reason.status >= 500 || reason.status === 429));
    const isRefused = [user, doctor].every((call) => call.status === 'rejected' && isRefusal(call));
    if (isRefused && tokens.access() !== null) {
      tokens.clear();
      if (isShown) deps.leave();
    }
    if (tokens.access() === null) return show(NOBODY);
    const known = session.get().user?.id === owner ? session.get() : NOBODY;
    const accountPart = <T>(call: PromiseSettledResult<T>, before: T | null) => {
      if (call.status === 'fulfilled') return call.value;
      return isRefusal(call) ? null : before;
    };
    show({ user: accountPart(user, known.user), doctor: accountPart(doctor, known.doctor) });
  }

  /**
   * Follows sign-ins and sign-outs through the token store. If another page has ended this page's
   * session, its account's data must not be painted again, not even if the next account is known.
   */
  function follow(isElsewhere = false): void {
    const current = tokens.owner();
    if (isElsewhere && owner !== null && owner !== current) {
      deps.leave();
      return;
    }
    flag(current !== null);
    schedule();
    if (current === owner) return;
    owner = current;
    if (current === null) show(NOBODY);
    else void load();
  }

  return {
    get: session.get,
    subscribe: session.subscribe,
    initial: session.initial,

    /** The id of the account that is signed in, which may not be loaded yet, or null. */
    owner: tokens.owner,

    /** Called once, when the page starts. */
    start(): void {
      tokens.subscribe(follow);
      follow();
      if (owner === null) show(NOBODY);
    },

    /** After a login or sign-up. Loads the account if the response does not contain it. */
    async signIn({ access, refresh, user, doctor }: SignInAnswer): Promise<void> {
      owner = ownerOf(access);
      tokens.save({ access, refresh });
      if (user) show({ user, doctor: doctor ?? null });
      else await load();
    },

    /** After a change to the account. */
    reload: load,

    /** After a response with the doctor. Ignored if another user has signed in. */
    setDoctor(doctor: Doctor): void {
      const { user } = session.get();
      if (user?.id === doctor.user.id) show({ user, doctor });
    },

    /** The drafts go even if the server cannot be reached. */
    async signOut(): Promise<void> {
      try {
        await api.signOut();
      } finally {
        deps.forget();
      }
    },
  };
}

/** 'Dr. Ada Quist'. Here, because every page loads this file. */
export const doctorName = (user: {
  first_name: string;
  last_name: string;
  /** Representatives have no doctor's title. */
  is_representative?: boolean;
}) => `${user.is_representative ? '' : 'Dr. '}${user.first_name} ${user.last_name}`.trim();
