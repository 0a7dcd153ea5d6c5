import { NOTE_MAX } from '#contract/limits.ts';
import { DRAFT_PREFIX } from '#web/lib/remove-drafts.ts';
import { isRoomFor } from '#web/lib/storage-room.ts';
import {
  browserEvents,
  browserStorage,
  type KeyValueStorage,
  storedText,
  useStore,
} from '#web/lib/store.ts';

/** Has the prefix of drafts, so that signing out and deleting the account also remove the notes. */
const KEY = `${DRAFT_PREFIX}employer-notes`;

/** Private notes, by employer. They are stored in this browser and never sent. */
export function createNotes(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(KEY, storage, events);
  return {
    ...stored,
    of: (id: number) => parse(stored.get())[id] ?? '',
    /** Returns false if the storage is full. */
    write(id: number, note: string): boolean {
      const { [id]: _, ...others } = parse(stored.get());
      const notes = note.trim() === '' ? others : { ...others, [id]: note.slice(0, NOTE_MAX) };
      const text = Object.keys(notes).length > 0 ? JSON.stringify(notes) : null;
      return isRoomFor(() => stored.set(text));
    },
  };
}

/** The visitor's storage may contain anything. */
function parse(text: string | null): Readonly<Record<string, string>> {
  try {
    const notes: unknown = JSON.parse(text ?? '{}');
    return Object.fromEntries(
      Object.entries(notes ?? {}).filter(
        ([id, note]) => /^\d+$/.test(id) && typeof note === 'string',
      ),
    );
  } catch {
    return {};
  }
}

export const notes = createNotes(browserStorage, browserEvents);

export const useNote = (id: number) => useStore(notes, (text) => parse(text)[id] ?? '');
