import { afterEach, expect, test, vi } from 'vitest';
import { TopicCache } from './topic-cache.ts';

afterEach(() => void vi.useRealTimers());

/** A cache of texts, weighed by length. Texts that begin with a dash are not cacheable. */
function open(capacity = 10) {
  const weigh = (_key: string, text: string) => (text.startsWith('-') ? null : text.length);
  const cache = new TopicCache<string>({ capacity, weigh });
  cache.setListening(true);
  const put = (key: string, text: string) => cache.remember(key, ['reviews'], async () => text);
  return { cache, put };
}

test('finds only complete and fresh entries', async () => {
  const { cache, put } = open();
  const making = put('a', 'new');
  expect(cache.find('a')).toBeUndefined();
  await making;
  expect(cache.find('a')).toBe('new');
  cache.changed(['votes']);
  expect(cache.find('a')).toBe('new');
  cache.changed(['votes', 'reviews']);
  expect(cache.find('a')).toBeUndefined();
  expect(cache.weight).toBe(0);
});

test('drops entries that are too old', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { cache, put } = open();
  await put('a', 'new');
  vi.setSystemTime(Date.now() + 60_001);
  expect(cache.find('a')).toBeUndefined();
  expect(cache.weight).toBe(0);
});

test('never exceeds its capacity, and evicts entries that nobody uses', async () => {
  const { cache, put } = open(10);
  await put('a', 'aaaa');
  await put('b', 'bbbb');
  expect(cache.find('a')).toBe('aaaa');
  await put('c', 'cccc');
  expect([cache.find('a'), cache.find('b'), cache.find('c')]).toEqual(['aaaa', undefined, 'cccc']);
  expect(cache.weight).toBe(8);
  // All three have been used by now, but one must be evicted.
  await put('d', 'dddd');
  expect(cache.weight).toBe(8);
  expect(cache.find('d')).toBe('dddd');
  await put('e', 'far too heavy');
  expect(cache.weight).toBeLessThanOrEqual(10);
  expect(cache.find('e')).toBeUndefined();
});

test('entries requested only once do not evict entries requested repeatedly', async () => {
  const { cache, put } = open(100);
  await put('hot', 'aaaa');
  for (let at = 0; at < 1000; at += 1) {
    await put(`once-${at}`, 'bbbb');
    if (at % 20 === 0) expect(cache.find('hot')).toBe('aaaa');
  }
  expect(cache.find('hot')).toBe('aaaa');
  expect(cache.find('once-0')).toBeUndefined();
  expect(cache.weight).toBe(100);
});

test('entries that are no longer requested make room for new ones', async () => {
  const { cache, put } = open(100);
  for (let at = 0; at < 100; at += 1) {
    await put(`key-${at}`, 'aaaa');
    expect(cache.find(`key-${at}`)).toBe('aaaa');
  }
  expect(cache.find('key-99')).toBe('aaaa');
  expect(cache.find('key-0')).toBeUndefined();
  expect(cache.weight).toBe(100);
});

test('an uncacheable value is shared by simultaneous callers, and computed again afterward', async () => {
  const { cache } = open();
  let made = 0;
  const ask = () => cache.remember('a', ['reviews'], async () => `-${++made}`);
  expect(await Promise.all([ask(), ask()])).toEqual(['-1', '-1']);
  expect(await ask()).toBe('-2');
  expect(cache.weight).toBe(0);
});

test('while it is not listening, caches nothing new and serves what it has', async () => {
  const { cache, put } = open();
  await put('a', 'old');
  const { promise, resolve } = Promise.withResolvers<string>();
  const begun = cache.remember('c', ['reviews'], () => promise);
  cache.setListening(false);
  resolve('begun before');
  expect(await begun).toBe('begun before');
  expect(await put('c', 'begun after')).toBe('begun after');
  expect(await put('a', 'new')).toBe('old');
  expect(await Promise.all([put('b', '1'), put('b', '2')])).toEqual(['1', '2']);
  cache.changed(['reviews']);
  expect(await put('a', 'changed here')).toBe('changed here');
  cache.setListening(true);
  expect(await put('a', '3')).toBe('3');
});
