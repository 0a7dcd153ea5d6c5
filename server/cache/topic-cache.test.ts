import { afterEach, expect, test, vi } from 'vitest';
import { TopicCache } from './topic-cache.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A cache of texts, each as heavy as it is long; those that begin with a dash are not kept. */
function open(capacity = 10) {
  const cache = new TopicCache<string>({
    capacity,
    weigh: (_key, text) => (text.startsWith('-') ? null : text.length),
  });
  cache.setListening(true);
  const put = (key: string, text: string) =>
    cache.remember(key, ['reviews'], () => Promise.resolve(text));
  return { cache, put };
}

test('finds what is finished and fresh, and nothing else', async () => {
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

test('what is too old is let go', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { cache, put } = open();
  await put('a', 'new');
  vi.setSystemTime(Date.now() + 60_001);
  expect(cache.find('a')).toBeUndefined();
  expect(cache.weight).toBe(0);
});

test('never holds more than its capacity: what nobody asks for gives way', async () => {
  const { cache, put } = open(10);
  await put('a', 'aaaa');
  await put('b', 'bbbb');
  expect(cache.find('a')).toBe('aaaa');
  await put('c', 'cccc');
  expect([cache.find('a'), cache.find('b'), cache.find('c')]).toEqual(['aaaa', undefined, 'cccc']);
  expect(cache.weight).toBe(8);
  // All three have been asked for by now; one has to go nevertheless.
  await put('d', 'dddd');
  expect(cache.weight).toBe(8);
  expect(cache.find('d')).toBe('dddd');
  await put('e', 'far too heavy');
  expect(cache.weight).toBeLessThanOrEqual(10);
  expect(cache.find('e')).toBeUndefined();
});

test('many that are asked for once do not evict what is asked for again and again', async () => {
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

test('what has become cold makes room for what is asked for now', async () => {
  const { cache, put } = open(100);
  for (let at = 0; at < 100; at += 1) {
    await put(`key-${at}`, 'aaaa');
    expect(cache.find(`key-${at}`)).toBe('aaaa');
  }
  expect(cache.find('key-99')).toBe('aaaa');
  expect(cache.find('key-0')).toBeUndefined();
  expect(cache.weight).toBe(100);
});

test('what is not to be kept is shared by those who ask meanwhile, and made again after', async () => {
  const { cache } = open();
  let made = 0;
  const ask = () => cache.remember('a', ['reviews'], async () => `-${++made}`);
  expect(await Promise.all([ask(), ask()])).toEqual(['-1', '-1']);
  expect(await ask()).toBe('-2');
  expect(cache.weight).toBe(0);
});

test('keeps and shares nothing while it cannot hear', async () => {
  const { cache, put } = open();
  await put('a', 'new');
  cache.setListening(false);
  expect(cache.find('a')).toBeUndefined();
  expect(await Promise.all([put('a', '1'), put('a', '2')])).toEqual(['1', '2']);
  cache.setListening(true);
  expect(await put('a', '3')).toBe('3');
});
