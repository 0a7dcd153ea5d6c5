import type { SavedList } from '#contract/saved/saved.ts';
import { sealedTable } from '#server/db/sealed-table.ts';

export const NOTHING_SAVED: SavedList = { entries: [], weekly_mail: false };

/**
 * Fits the longest list (SAVED_CHARACTERS_MAX) and the setting. All lists are sealed at this
 * length: saved_lists_length.
 */
const BLOCK_BYTES = 3584;

/** Sealed under the authorship key. */
export const lists = sealedTable<SavedList>({
  table: 'saved_lists',
  context: 'saved-list',
  blockBytes: BLOCK_BYTES,
  keysOf: (keys) => keys.savedLists,
});

/** The list with these entries first. */
export const withEntries = (list: SavedList, added: readonly string[]): SavedList => ({
  ...list,
  entries: [...new Set([...added, ...list.entries])],
});

export const withoutEntries = (list: SavedList, removed: readonly string[]): SavedList => ({
  ...list,
  entries: list.entries.filter((entry) => !removed.includes(entry)),
});
