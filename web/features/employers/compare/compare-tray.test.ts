import { beforeEach, expect, test, vi } from 'vitest';
import { COMPARE_MAX } from '#contract/employers/employer-choices.ts';
import { fakeStorage } from '#web/lib/testing/session-fakes.ts';
import { createShortlist } from './compare-tray.tsx';

const storage = fakeStorage();
const { items: stored } = storage;
const employer = (id: number) => ({ id, name: `Hospital ${id}` });

beforeEach(() => stored.clear());

test('adds, removes, and clears employers, and notifies listeners', () => {
  const list = createShortlist(storage, new EventTarget());
  const heard = vi.fn();
  const stop = list.subscribe(heard);
  list.add(employer(1));
  list.add(employer(2));
  list.add(employer(1));
  expect(list.get()).toEqual([employer(2), employer(1)]);
  list.remove(2);
  expect(list.get()).toEqual([employer(1)]);
  list.clear();
  expect(list.get()).toEqual([]);
  expect(stored.size).toBe(0);
  expect(heard).toHaveBeenCalledTimes(5);
  stop();
  list.add(employer(3));
  expect(heard).toHaveBeenCalledTimes(5);
});

test('holds no more employers than can be compared', () => {
  const list = createShortlist(storage, new EventTarget());
  for (let id = 1; id <= COMPARE_MAX + 1; id += 1) list.add(employer(id));
  expect(list.get().map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

test('returns the same list until the storage changes', () => {
  const list = createShortlist(storage, new EventTarget());
  list.add(employer(1));
  expect(list.get()).toBe(list.get());
});

test('notices changes in other tabs', () => {
  const events = new EventTarget();
  const list = createShortlist(storage, events);
  const heard = vi.fn();
  list.subscribe(heard);
  createShortlist(storage, new EventTarget()).add(employer(7));
  events.dispatchEvent(Object.assign(new Event('storage'), { key: 'compare_shortlist' }));
  events.dispatchEvent(Object.assign(new Event('storage'), { key: 'something_else' }));
  expect(heard).toHaveBeenCalledTimes(1);
  expect(list.get()).toEqual([employer(7)]);
});

const ODD = ['not json', '{"id":1}', '[null, 3, {"id":"1","name":"x"}, {"id":2}]'];
test.each(ODD)('ignores %s', (text) => {
  stored.set('compare_shortlist', text);
  expect(createShortlist(storage, new EventTarget()).get()).toEqual([]);
});
