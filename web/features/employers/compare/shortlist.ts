import { COMPARE_MAX } from '#contract/employers/employer-choices.ts';
import { isRoomFor } from '#web/lib/storage-room.ts';
import {
  browserEvents,
  browserStorage,
  type KeyValueStorage,
  storedText,
  useStore,
} from '#web/lib/store.ts';

/** What the tray shows of an employer. */
export interface Shortlisted {
  id: number;
  /** As displayed, in title case. */
  name: string;
}

const KEY = 'compare_shortlist';
const NONE: readonly Shortlisted[] = [];

/** The employers picked for comparison, stored in this browser only. */
export function createShortlist(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(KEY, storage, events);
  let read = { text: null as string | null, list: NONE };

  /** The same array until the stored text changes. */
  function get(): readonly Shortlisted[] {
    const text = stored.get();
    if (text !== read.text) read = { text, list: parse(text) };
    return read.list;
  }

  const save = (list: readonly Shortlisted[]) =>
    stored.set(list.length === 0 ? null : JSON.stringify(list));

  return {
    get,
    subscribe: stored.subscribe,
    initial: NONE,
    /** Does nothing if the list is full. Returns false if the storage is full. */
    add({ id, name }: Shortlisted): boolean {
      const others = get().filter((each) => each.id !== id);
      return others.length >= COMPARE_MAX || isRoomFor(() => save([...others, { id, name }]));
    },
    remove: (id: number) => save(get().filter((each) => each.id !== id)),
    clear: () => save(NONE),
  };
}

/** The visitor's storage may contain anything. */
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

export const shortlist = createShortlist(browserStorage, browserEvents);

export const useShortlist = () => useStore(shortlist, (list) => list);
