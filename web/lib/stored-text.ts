import { createStore, type Store } from './store.ts';

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const isBrowser = typeof window !== 'undefined';

/** The server renders the same page for everyone, so it stores nothing. */
const NOTHING_STORED: KeyValueStorage = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

export const browserStorage = isBrowser ? window.localStorage : NOTHING_STORED;
export const browserEvents: EventTarget = isBrowser ? window : new EventTarget();

/** One key of local storage, shared by all tabs: `events` is the window, which reports theirs. */
export function storedText(
  key: string,
  storage: KeyValueStorage,
  events: EventTarget,
): Store<string | null> {
  const changes = createStore<string | null>(null);
  events.addEventListener('storage', (event) => {
    const changed = (event as StorageEvent).key;
    // No key: the whole storage was cleared.
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
