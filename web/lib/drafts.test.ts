import { expect, test } from 'vitest';
import { draftsOf } from './drafts.ts';
import { removeAllDrafts } from './store.ts';
import { fakeStorage } from './testing/session-fakes.ts';

test('keeps the drafts of each account separate, the last edited one first', () => {
  const storage = fakeStorage();
  let now = 1;
  const ada = draftsOf<string>(storage, 'ada', () => now++);
  const bea = draftsOf<string>(storage, 'bea', () => now++);
  ada.save('a', 'first');
  ada.save('b', 'second');
  bea.save('a', 'hers');
  ada.save('a', 'first, longer');
  expect(ada.list().map(({ values }) => values)).toEqual(['first, longer', 'second']);
  expect(bea.list().map(({ values }) => values)).toEqual(['hers']);
  expect(ada.find('a')?.values).toBe('first, longer');
  ada.remove('a');
  expect(ada.find('a')).toBeNull();
  expect(ada.list()).toHaveLength(1);
});

test('removes the drafts of all accounts, and nothing else', () => {
  const storage = fakeStorage();
  storage.setItem('access_token', 'stays');
  draftsOf(storage, 'ada', () => 1).save('a', 1);
  draftsOf(storage, 'bea', () => 1).save('b', 2);
  removeAllDrafts(storage);
  expect([storage.length, storage.getItem('access_token')]).toEqual([1, 'stays']);
});
