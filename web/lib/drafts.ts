import type { KeyValueStorage } from './store.ts';

/** What was typed and not sent, until it is sent or its owner signs out. */
export interface Draft<T> {
  id: string;
  values: T;
  /** When it was last typed at, in milliseconds: of several, the last one is taken up. */
  savedAt: number;
}

type DraftStorage = KeyValueStorage & Pick<Storage, 'key' | 'length'>;

const PREFIX = 'curbside_draft:';

/**
 * Drafts of one account in this browser; they never leave it. An expired session, a lost network
 * or a crash does not touch them.
 */
export function draftsOf<T>(storage: DraftStorage, userId: string, now: () => number) {
  const keyOf = (id: string) => `${PREFIX}${userId}:${id}`;
  const read = (key: string) => JSON.parse(storage.getItem(key) ?? 'null') as Draft<T> | null;
  return {
    find: (id: string) => read(keyOf(id)),
    /** The last one typed at first. */
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

/** On signing out: whoever uses this browser next finds nothing, whichever account wrote it. */
export function removeAllDrafts(storage: DraftStorage): void {
  for (const key of keysOf(storage)) {
    if (key.startsWith(PREFIX)) storage.removeItem(key);
  }
}

const keysOf = (storage: DraftStorage) =>
  Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '');
