import { beforeEach, expect, test } from 'vitest';
import { NOTE_MAX } from '#contract/limits.ts';
import { removeAllDrafts } from '#web/lib/store.ts';
import { fakeStorage } from '#web/lib/testing/session-fakes.ts';
import { createNotes } from './comparison-table.tsx';

const storage = fakeStorage();
const { items: stored } = storage;

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
