import { useSyncExternalStore } from 'react';
import { COMPARE_MAX } from '#contract/employer-choices.ts';
import type { KeyValueStorage } from '#web/lib/token-store.ts';

/** Enough of an employer to show it in the tray. */
export interface Shortlisted {
  id: number;
  name: string;
}

const KEY = 'compare_shortlist';
const NONE: readonly Shortlisted[] = [];

/** The employers picked for comparison, kept in this browser alone. `events` is the window. */
export function createShortlist(storage: KeyValueStorage, events: EventTarget) {
  const listeners = new Set<() => void>();
  let read = { text: null as string | null, list: NONE };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  events.addEventListener('storage', (event) => {
    const { key } = event as StorageEvent;
    // No key: the whole storage was cleared.
    if (key === KEY || key === null) tell();
  });

  /** The same list for as long as the storage says the same. */
  function get(): readonly Shortlisted[] {
    const text = storage.getItem(KEY);
    if (text !== read.text) read = { text, list: parse(text) };
    return read.list;
  }

  function save(list: readonly Shortlisted[]) {
    if (list.length === 0) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify(list));
    tell();
  }

  return {
    get,
    /** Does nothing when the list is full. */
    add({ id, name }: Shortlisted) {
      const others = get().filter((each) => each.id !== id);
      if (others.length < COMPARE_MAX) save([...others, { id, name }]);
    },
    remove: (id: number) => save(get().filter((each) => each.id !== id)),
    clear: () => save(NONE),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** The storage is the visitor's: it may hold anything. */
function parse(text: string | null): readonly Shortlisted[] {
  if (text === null) return NONE;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isShortlisted).slice(0, COMPARE_MAX) : NONE;
  } catch {
    return NONE;
  }
}

const isShortlisted = (value: Partial<Shortlisted> | null): value is Shortlisted =>
  Number.isSafeInteger(value?.id) && typeof value?.name === 'string';

const isBrowser = typeof window !== 'undefined';
const NOTHING_STORED: KeyValueStorage = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

export const shortlist = createShortlist(
  isBrowser ? window.localStorage : NOTHING_STORED,
  isBrowser ? window : new EventTarget(),
);

/** Empty in the server's page, which is the same for everyone. */
export const useShortlist = () =>
  useSyncExternalStore(shortlist.subscribe, shortlist.get, () => NONE);
