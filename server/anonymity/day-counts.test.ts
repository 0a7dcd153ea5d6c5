import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { DayCounts, DayMaximum } from './day-counts.ts';

const NOON = Date.parse('2026-11-23T12:00:00Z');

function atNoon() {
  const time = { now: new Date(NOON) };
  const clock = () => time.now;
  const inDays = (days: number) => {
    time.now = new Date(NOON + days * DAY_MS);
  };
  return { clock, time, inDays };
}

test("shows a day's counts only once it is over, rounded down to a multiple of 5", () => {
  const { clock, time } = atNoon();
  const counts = new DayCounts(clock);
  for (let n = 0; n < 14; n += 1) counts.add('logins', { result: 'ok' });
  for (let n = 0; n < 4; n += 1) counts.add('logins', { result: 'wrong' });
  time.now = new Date('2026-11-23T23:59:59.999Z');
  expect(counts.shown('logins')).toEqual([]);
  time.now = new Date('2026-11-24T00:00:00Z');
  expect(counts.shown('logins')).toEqual([{ labels: { result: 'ok' }, value: 10 }]);
  expect(counts.shownDay).toBe('2026-11-23');
});

test('counting does not change what is shown the same day', () => {
  const { clock, inDays } = atNoon();
  const counts = new DayCounts(clock);
  for (let n = 0; n < 5; n += 1) counts.add('logins');
  inDays(1);
  const shown = counts.shown('logins');
  expect(shown).toEqual([{ labels: {}, value: 5 }]);
  for (let n = 0; n < 50; n += 1) counts.add('logins');
  expect(counts.shown('logins')).toEqual(shown);
  inDays(2);
  expect(counts.shown('logins')).toEqual([{ labels: {}, value: 50 }]);
});

test('shows only the previous day, even after days without a read', () => {
  const { clock, inDays } = atNoon();
  const counts = new DayCounts(clock);
  for (let n = 0; n < 5; n += 1) counts.add('logins');
  inDays(2);
  expect(counts.shown('logins')).toEqual([]);
  expect(counts.shownDay).toBe('2026-11-24');
});

test('setting the clock back shows nothing early', () => {
  const { clock, inDays } = atNoon();
  const counts = new DayCounts(clock);
  for (let n = 0; n < 5; n += 1) counts.add('logins');
  inDays(-1);
  for (let n = 0; n < 5; n += 1) counts.add('logins');
  inDays(0);
  expect(counts.shown('logins')).toEqual([]);
  inDays(1);
  expect(counts.shown('logins')).toEqual([{ labels: {}, value: 10 }]);
});

test('a maximum does not fall within its day', () => {
  const { clock, inDays } = atNoon();
  const largest = new DayMaximum(clock);
  expect([3, 8, 2].map((value) => largest.include(value))).toEqual([3, 8, 8]);
  inDays(1);
  expect(largest.include(2)).toBe(2);
});
