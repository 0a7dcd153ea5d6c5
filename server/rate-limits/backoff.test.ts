import { expect, test } from 'vitest';
import { MINUTE_MS } from '#contract/limits.ts';
import { blockedUntil } from './rate-limits.ts';

const now = new Date('2025-08-12T12:07:31.234Z');
const minutes = (count: number) => {
  const until = blockedUntil(count, 6, now);
  return until && (until.getTime() - now.getTime()) / MINUTE_MS;
};

test('does not block while points are left', () => {
  expect([1, 2, 5].map(minutes)).toEqual([null, null, null]);
});

test('each wait is longer than the previous one, up to an hour', () => {
  const waits = [6, 7, 8, 9, 10].map((count) => minutes(count) ?? 0);
  for (const [at, least] of [5, 10, 20, 40, 60].entries()) {
    expect(waits[at]).toBeGreaterThan(least);
    expect(waits[at]).toBeLessThanOrEqual(least + 5);
  }
  expect(minutes(5000)).toBe(waits[4]);
});

test('no wait time reveals the minute of an attempt', () => {
  for (const second of [0, 59, 61, 299]) {
    const until = blockedUntil(6, 6, new Date(now.getTime() + second * 1000));
    expect((until?.getTime() ?? 1) % (5 * MINUTE_MS)).toBe(0);
  }
});
