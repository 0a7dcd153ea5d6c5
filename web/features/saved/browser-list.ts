import { ERRORS } from '#contract/errors.ts';
import { fits, parseSaved } from '#contract/saved/saved-address.ts';
import { isRoomFor } from '#web/lib/storage-room.ts';
import { type KeyValueStorage, storedText } from '#web/lib/store.ts';

const KEY = 'saved';
const NONE: readonly string[] = [];
const BROWSER_FULL =
  'Not saved, because this browser’s storage is full. Log in to save it to your account.';

/** What a visitor has saved without an account. Stored in this browser only, latest first. */
export function createBrowserList(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(KEY, storage, events);

  const get = (): readonly string[] => parse(stored.get());
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
function parse(text: string | null): readonly string[] {
  if (text === null) return NONE;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return NONE;
    const entries = [...new Set(list)].filter((entry) => parseSaved(entry) !== null);
    while (!fits(entries)) entries.pop();
    return entries;
  } catch {
    return NONE;
  }
}
