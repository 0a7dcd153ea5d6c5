import type { ListedStorage } from './store.ts';

export const DRAFT_PREFIX = 'curbside_draft:';

/**
 * Runs on sign-out, so that the next user of this browser finds no drafts of any account. It has
 * its own file because every page loads this, but not the rest of drafts.ts.
 */
export function removeAllDrafts(storage: ListedStorage): void {
  for (const key of draftKeys(storage)) storage.removeItem(key);
}

/** The drafts of all accounts. */
export const draftKeys = (storage: ListedStorage): string[] =>
  Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '').filter((key) =>
    key.startsWith(DRAFT_PREFIX),
  );
