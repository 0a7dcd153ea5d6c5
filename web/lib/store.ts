import { useSyncExternalStore } from 'react';

type Listener = () => void;

/** For values that several components share. The data of a page comes from its loader. */
export interface Store<T> {
  get(): T;
  /** Replaces the value and notifies every listener. */
  set(value: T): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: Listener): () => void;
  /** The value on the server, and in the browser until hydration. */
  initial: T;
}

export type ReadonlyStore<T> = Omit<Store<T>, 'set'>;

// Not zustand: its 0.5 kB do not fit the landing page's script budget.
export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<Listener>();
  let value = initial;
  return {
    initial,
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Re-renders only when what `select` returns changes. */
export function useStore<T, S>(store: ReadonlyStore<T>, select: (value: T) => S): S {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.initial),
  );
}

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
/** Also lists its keys. */
export type ListedStorage = KeyValueStorage & Pick<Storage, 'key' | 'length'>;

const isBrowser = typeof window !== 'undefined';

/** The server renders the same page for everyone, so it stores nothing; nor may some browsers. */
export const NOTHING_STORED: ListedStorage = {
  length: 0,
  key: () => null,
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

/**
 * The browser's storage. If the reader blocks cookies and site data, it throws when it is opened or
 * changed; in Android's web views it may be null.
 */
export function openStorage(open: () => Storage | null): ListedStorage {
  try {
    const storage = open();
    storage?.removeItem('');
    return storage ?? NOTHING_STORED;
  } catch {
    return NOTHING_STORED;
  }
}

export const browserStorage = isBrowser ? openStorage(() => window.localStorage) : NOTHING_STORED;
export const isStorageBlocked = isBrowser && browserStorage === NOTHING_STORED;
export const browserEvents: EventTarget = isBrowser ? window : new EventTarget();

/**
 * Reports the keys that other pages change. Null means that any may have changed: the storage was
 * cleared, or the browser shows this page again, which heard of nothing while it was kept.
 */
export function onOtherPages(events: EventTarget, hear: (key: string | null) => void): void {
  events.addEventListener('storage', (event) => hear((event as StorageEvent).key));
  events.addEventListener('pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) hear(null);
  });
}

/** One key of local storage. `events` is the window, which reports changes by other tabs. */
export function storedText(
  key: string,
  storage: KeyValueStorage,
  events: EventTarget,
): Store<string | null> {
  const changes = createStore<string | null>(null);
  onOtherPages(events, (changed) => {
    if (changed === key || changed === null) changes.set(null);
  });
  return {
    ...changes,
    // Another tab's change can be read before its event arrives.
    get: () => storage.getItem(key),
    set(text) {
      if (text === null) storage.removeItem(key);
      else storage.setItem(key, text);
      changes.set(null);
    },
  };
}

const never = () => () => undefined;

/** False on the server and during hydration, then true. For what needs the browser. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Runs a write to the browser's storage. Returns false if it is full, or may not be written. */
export function isRoomFor(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

export const DRAFT_PREFIX = 'curbside_draft:';

/**
 * Runs on sign-out, so that the next user of this browser finds no drafts of any account. Every page
 * loads this, but not the rest of drafts.ts.
 */
export function removeAllDrafts(storage: ListedStorage): void {
  for (const key of draftKeys(storage)) storage.removeItem(key);
}

/** The drafts of all accounts. */
export const draftKeys = (storage: ListedStorage): string[] =>
  Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '').filter((key) =>
    key.startsWith(DRAFT_PREFIX),
  );
