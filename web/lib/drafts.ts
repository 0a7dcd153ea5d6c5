import type { KeyValueStorage } from './store.ts';

/** What a user typed but did not send yet. */
export interface Draft<T> {
  id: string;
  values: T;
  /** In milliseconds. */
  savedAt: number;
}

type DraftStorage = KeyValueStorage & Pick<Storage, 'key' | 'length'>;

const PREFIX = 'curbside_draft:';

/**
 * The drafts of one account. They never leave this browser, and survive an expired session, a lost
 * network, or a crash.
 */
export function draftsOf<T>(storage: DraftStorage, userId: string, now: () => number) {
  const keyOf = (id: string) => `${PREFIX}${userId}:${id}`;
  const read = (key: string) => JSON.parse(storage.getItem(key) ?? 'null') as Draft<T> | null;
  return {
    find: (id: string) => read(keyOf(id)),
    /** Latest first. */
    list: (): Draft<T>[] =>
      keysOf(storage)
        .filter((key) => key.startsWith(keyOf('')))
        .flatMap((key) => read(key) ?? [])
        .sort((a, b) => b.savedAt - a.savedAt),
    save: (id: string, values: T) =>
      storage.setItem(keyOf(id), JSON.stringify({ id, values, savedAt: now() } satisfies Draft<T>)),
    remove: (id: string) => storage.removeItem(keyOf(id)),
  };
}

/** For signing out: the next user of this browser finds no drafts of any account. */
export function removeAllDrafts(storage: DraftStorage): void {
  for (const key of keysOf(storage)) {
    if (key.startsWith(PREFIX)) storage.removeItem(key);
  }
}

const keysOf = (storage: DraftStorage) =>
  Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '');
