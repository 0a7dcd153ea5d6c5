import { fits, parseSaved } from '#contract/saved-address.ts';
import { type KeyValueStorage, storedText } from '#web/lib/store.ts';

const KEY = 'saved';
const NONE: readonly string[] = [];

/** What a visitor has saved without an account: in this browser only, the latest first. */
export function createBrowserList(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(KEY, storage, events);

  const get = (): readonly string[] => parse(stored.get());
  const keep = (entries: readonly string[]) =>
    stored.set(entries.length === 0 ? null : JSON.stringify(entries));

  return {
    get,
    subscribe: stored.subscribe,
    /** False if there is no room. */
    add(entry: string): boolean {
      const entries = [...new Set([entry, ...get()])];
      if (!fits(entries)) return false;
      keep(entries);
      return true;
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
