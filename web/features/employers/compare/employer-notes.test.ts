import { beforeEach, expect, test } from 'vitest';
import { NOTE_MAX } from '#contract/limits.ts';
import { removeAllDrafts } from '#web/lib/remove-drafts.ts';
import { createNotes } from './employer-notes.ts';

const stored = new Map<string, string>();
const storage = {
  get length() {
    return stored.size;
  },
  key: (place: number) => [...stored.keys()][place] ?? null,
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};

beforeEach(() => stored.clear());

test('keeps one note per employer, and no blank notes', () => {
  const notes = createNotes(storage, new EventTarget());
  notes.write(1, 'Ask about call');
  notes.write(2, 'x'.repeat(NOTE_MAX + 1));
  expect(notes.of(1)).toBe('Ask about call');
  expect(notes.of(2)).toHaveLength(NOTE_MAX);
  notes.write(1, ' ');
  expect(notes.of(1)).toBe('');
  notes.write(2, '');
  expect(stored.size).toBe(0);
});

test('the notes are removed with the drafts', () => {
  const notes = createNotes(storage, new EventTarget());
  notes.write(1, 'Ask about call');
  expect(stored.size).toBe(1);
  removeAllDrafts(storage);
  expect(stored.size).toBe(0);
  expect(notes.of(1)).toBe('');
});

test.each(['not json', 'null', '[]', '{"1":3,"x":"y"}'])('ignores %s', (text) => {
  const notes = createNotes(storage, new EventTarget());
  notes.set(text);
  expect(notes.of(1)).toBe('');
});
