import type { Input } from '#contract/endpoint.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { ERRORS } from '#contract/errors.ts';
import type { SavedList } from '#contract/saved/saved.ts';
import { fits, parseSaved } from '#contract/saved/saved-address.ts';
import type { Api } from '#web/lib/api.ts';
import type { Session, SessionStore } from '#web/lib/session-store.ts';
import { createStore, isRoomFor, type KeyValueStorage, storedText } from '#web/lib/store.ts';
import { ApiError } from '#web/lib/transport-error.ts';

const STORAGE_KEY = 'saved';
const EMPTY: readonly string[] = [];
const BROWSER_FULL =
  'Not saved, because this browser’s storage is full. Log in to save it to your account.';

/** What a visitor has saved without an account. Stored in this browser only, latest first. */
export function createBrowserList(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(STORAGE_KEY, storage, events);

  const get = (): readonly string[] => parseEntries(stored.get());
  const keep = (entries: readonly string[]) =>
    stored.set(entries.length === 0 ? null : JSON.stringify(entries));

  return {
    get,
    subscribe: stored.subscribe,
    /** Returns an error text if there is no room, or null. */
    add(entry: string): string | null {
      const entries = [...new Set([entry, ...get()])];
      if (!fits(entries)) return ERRORS.saved_full.text;
      return isRoomFor(() => keep(entries)) ? null : BROWSER_FULL;
    },
    remove: (removed: readonly string[]) => keep(get().filter((entry) => !removed.includes(entry))),
  };
}

/** The visitor's storage may contain anything. */
function parseEntries(text: string | null): readonly string[] {
  if (text === null) return EMPTY;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return EMPTY;
    const entries = [...new Set(list)].filter((entry) => parseSaved(entry) !== null);
    while (!fits(entries)) entries.pop();
    return entries;
  } catch {
    return EMPTY;
  }
}

export interface SavedDeps {
  api: Pick<Api, 'call'>;
  session: Pick<SessionStore, 'get' | 'subscribe'>;
  /** Resolves once it is known who is signed in. */
  settled: () => Promise<Pick<Session, 'user'>>;
  browser: ReturnType<typeof createBrowserList>;
  /** Called with the number of entries whenever they may have changed. */
  onCount?: (count: number) => void;
}

interface Saved {
  /** The latest first. */
  readonly entries: readonly string[];
  /** What the account has; null for a visitor, and until it is loaded. */
  readonly account: SavedList | null;
}

/** The status for an entry that is not valid, for example because a filter is gone. */
const INVALID = 400;
const NOTHING: Saved = { entries: [], account: null };

/**
 * What the reader has saved, in the browser or with the account. After sign-in, the entries in the
 * browser move to the account. They stay in the browser until the account has them.
 */
export function createSavedStore({ api, session, settled, browser, onCount }: SavedDeps) {
  const saved = createStore(NOTHING);
  const sending = new Set<string>();
  let userId: string | null = null;
  let account: SavedList | null = null;
  let watchers = 0;
  let loading: Promise<void> | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** One request at a time: each answer replaces the list, and may arrive after a later one. */
  function inTurn(ask: () => Promise<SavedList>): Promise<SavedList> {
    const reader = userId;
    const askAsReader = () => {
      if (reader !== userId) throw new ApiError({ status: 401, retryAfter: null, body: null });
      return ask();
    };
    const turn = lastTurn.then(askAsReader, askAsReader);
    lastTurn = turn;
    return turn;
  }

  function show(list: SavedList | null): void {
    account = list;
    const entries = [...new Set([...(list?.entries ?? []), ...browser.get()])];
    saved.set({ entries, account: list });
    onCount?.(entries.length);
  }

  /** Another user must not see what this one has saved. */
  function followSession(): void {
    const current = session.get().user?.id ?? null;
    if (current === userId) return;
    userId = current;
    loading = null;
    show(null);
    if (watchers > 0) void loadSoon();
  }

  /** Optional: the page works without it, and saving loads it again. */
  const loadSoon = () =>
    load().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });

  /** Loads the list of the account, once. Throws ApiError. */
  function load(): Promise<void> {
    if (userId === null) return Promise.resolve();
    loading ??= loadFor(userId).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  async function loadFor(reader: string): Promise<void> {
    const list = await inTurn(() => api.call(savedEndpoints.list));
    if (reader !== userId) return;
    show(list);
    await moveToAccount(reader);
  }

  /** Entries that the server rejects stay in the browser, and are shown with the rest. */
  async function moveToAccount(reader: string): Promise<void> {
    const all = [...browser.get()];
    if (all.length === 0) return;
    if ((await move(reader, all)) === null) return;
    // There is no room for all of them, or one of them is no longer valid.
    for (const entry of all.toReversed()) {
      const status = await move(reader, [entry]);
      if (status !== null && status !== INVALID) return;
    }
  }

  /** Returns null, or the status if the server rejects them. */
  async function move(reader: string, entries: string[]): Promise<number | null> {
    try {
      const list = await inTurn(() => api.call(savedEndpoints.save, { body: { entries } }));
      browser.remove(entries);
      if (reader === userId) show(list);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.status ?? 0;
    }
  }

  /** Saves an entry, or removes it. Returns an error text, or null. */
  async function toggle(entry: string): Promise<string | null> {
    if (sending.has(entry)) return null;
    sending.add(entry);
    try {
      const { user } = await settled();
      const isSaved = () => saved.get().entries.includes(entry);
      if (user === null) {
        if (!isSaved()) return browser.add(entry);
        browser.remove([entry]);
        return null;
      }
      await load();
      const change = isSaved() ? savedEndpoints.remove : savedEndpoints.save;
      const list = await inTurn(() => api.call(change, { body: { entries: [entry] } }));
      if (change === savedEndpoints.remove) browser.remove([entry]);
      if (user.id === userId) show(list);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.message;
    } finally {
      sending.delete(entry);
    }
  }

  browser.subscribe(() => show(account));
  session.subscribe(followSession);
  followSession();
  show(account);

  return {
    get: saved.get,
    initial: NOTHING,
    /** Called while something on the screen shows what is saved. */
    subscribe(listener: () => void): () => void {
      const stop = saved.subscribe(listener);
      watchers += 1;
      if (account === null) void loadSoon();
      return () => {
        stop();
        watchers -= 1;
      };
    },
    toggle,
    /** Loads the list again. Throws ApiError. */
    async reload(): Promise<Saved> {
      loading = null;
      await load();
      return saved.get();
    },
    /** Throws ApiError. */
    async setWeeklyMail(input: Input<typeof savedEndpoints.weeklyMail>): Promise<SavedList> {
      const reader = userId;
      const list = await inTurn(() => api.call(savedEndpoints.weeklyMail, input));
      if (reader === userId) show(list);
      return list;
    },
  };
}
