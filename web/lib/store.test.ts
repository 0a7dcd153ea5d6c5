import { expect, test, vi } from 'vitest';
import { createStore, storedText } from './store.ts';
import { fakeStorage } from './testing/session-fakes.ts';

test('a store notifies listeners of each value until they unsubscribe', () => {
  const store = createStore(1);
  const listener = vi.fn();
  const stop = store.subscribe(listener);
  store.set(2);
  expect(store.get()).toBe(2);
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  store.set(3);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(store.initial).toBe(1);
});

test('a stored text is shared with other tabs', () => {
  const storage = fakeStorage();
  const { items } = storage;
  const events = new EventTarget();
  const text = storedText('key', storage, events);
  const listener = vi.fn();
  text.subscribe(listener);
  text.set('here');
  expect(items.get('key')).toBe('here');
  items.set('key', 'elsewhere');
  const changed = (key: string | null) =>
    events.dispatchEvent(Object.assign(new Event('storage'), { key }));
  changed('key');
  expect(text.get()).toBe('elsewhere');
  changed('another');
  expect(listener).toHaveBeenCalledTimes(2);
  changed(null);
  expect(listener).toHaveBeenCalledTimes(3);
  text.set(null);
  expect(items.size).toBe(0);
});
