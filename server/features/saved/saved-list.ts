import type { SavedList } from '#contract/saved.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import { seal, sealedWith, unsealOrNull } from '#server/anonymity/seal.ts';

export const NOTHING_SAVED: SavedList = { entries: [], weekly_mail: false };

/**
 * Fits the longest list (SAVED_CHARACTERS_MAX) and the setting. All lists are sealed at this
 * length: saved_lists_length.
 */
const BLOCK_BYTES = 3584;

/** Binds a sealed list to its account. */
const contextOf = (userId: string) => `saved-list/${userId}`;

export const sealList = (keys: Keys, userId: string, list: SavedList): Buffer =>
  seal(keys.savedLists[0], contextOf(userId), list, { blockBytes: BLOCK_BYTES });

/** Null if its key is lost, or it belongs to another account. */
export const openList = (keys: Keys, userId: string, sealed: Buffer): SavedList | null =>
  unsealOrNull<SavedList>(keys.savedLists, contextOf(userId), sealed);

/** Whether a list is sealed under the current authorship key. */
export const isCurrent = (keys: Keys, sealed: Buffer): boolean =>
  sealedWith(sealed) === keys.savedLists[0].id;

/** The list with these entries first. */
export const withEntries = (list: SavedList, added: readonly string[]): SavedList => ({
  ...list,
  entries: [...new Set([...added, ...list.entries])],
});

export const withoutEntries = (list: SavedList, removed: readonly string[]): SavedList => ({
  ...list,
  entries: list.entries.filter((entry) => !removed.includes(entry)),
});
