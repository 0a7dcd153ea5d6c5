import { DRAFT_PREFIX, draftKeys, type ListedStorage } from './store.ts';

/** What a user typed but has not sent yet. */
export interface Draft<T> {
  id: string;
  values: T;
  /** In milliseconds. */
  savedAt: number;
}

/**
 * The drafts of one account. They never leave this browser, and survive an expired session, a lost
 * connection, or a crash.
 */
export function draftsOf<T>(storage: ListedStorage, userId: string, now: () => number) {
  const keyOf = (id: string) => `${DRAFT_PREFIX}${userId}:${id}`;
  const read = (key: string) => JSON.parse(storage.getItem(key) ?? 'null') as Draft<T> | null;
  return {
    find: (id: string) => read(keyOf(id)),
    /** Latest first. */
    list: (): Draft<T>[] =>
      draftKeys(storage)
        .filter((key) => key.startsWith(keyOf('')))
        .flatMap((key) => read(key) ?? [])
        .sort((a, b) => b.savedAt - a.savedAt),
    save: (id: string, values: T) =>
      storage.setItem(keyOf(id), JSON.stringify({ id, values, savedAt: now() } satisfies Draft<T>)),
    remove: (id: string) => storage.removeItem(keyOf(id)),
  };
}
