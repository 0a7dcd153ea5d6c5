import { expect, test } from 'vitest';
import * as format from './format.ts';
import { doctorName } from './session-store.ts';

const { formatAverage, formatCount, formatDate, formatLocation, formatLongDate } = format;
const { maskNpi, plural, relativeAge } = format;

const DAY = 24 * 60;
test.each([
  [0, 'just now'],
  [1, '1 minute ago'],
  [59, '59 minutes ago'],
  [60, '1 hour ago'],
  [DAY - 1, '23 hours ago'],
  [DAY, '1 day ago'],
  [29 * DAY, '29 days ago'],
  [30 * DAY, '1 month ago'],
  [364 * DAY, '12 months ago'],
  [365 * DAY, '1 year ago'],
  [900 * DAY, '2 years ago'],
  [-5, 'just now'],
])('an age of %i minutes', (minutes, text) => {
  const now = new Date('2026-03-01T12:00:00Z');
  const then = new Date(now.getTime() - minutes * 60_000).toISOString();
  expect(relativeAge(then, now)).toBe(text);
});

test('numbers', () => {
  expect([null, 4, 3.25].map(formatAverage)).toEqual(['N/A', '4.0', '3.3']);
  const counted = [1, 0, 1204].map((count) => plural(count, 'review'));
  expect(counted).toEqual(['1 review', '0 reviews', '1,204 reviews']);
});

test('places', () => {
  expect(formatLocation({ city: 'BOSTON', state: 'ma' })).toBe('Boston, MA');
  expect(formatLocation({ city: "coeur d'alene", state: 'ID' })).toBe("Coeur D'Alene, ID");
  expect(formatLocation({ city: "MARTHA'S VINEYARD", state: 'MA' })).toBe("Martha's Vineyard, MA");
  expect(formatLocation({ city: null, state: 'TX' })).toBe('TX');
  expect(formatLocation({ city: null, state: null })).toBe('');
});

test('people', () => {
  expect(maskNpi('1234567890')).toBe('****7890');
  expect(maskNpi('')).toBe('Not available');
  expect(doctorName({ first_name: 'Ada', last_name: 'Quist' })).toBe('Dr. Ada Quist');
  expect(doctorName({ first_name: '', last_name: '' })).toBe('Dr.');
});

test('formats numbers and dates as Intl does for the United States', () => {
  for (const count of [0, 7, 999, 1000, 12_345, 999_999, 1_234_567]) {
    expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
  }
  for (let month = 1; month <= 12; month += 1) {
    const date = `2025-${String(month).padStart(2, '0')}-0${1 + (month % 9)}`;
    const styled = (dateStyle: 'long' | 'medium') =>
      new Intl.DateTimeFormat('en-US', { dateStyle, timeZone: 'UTC' }).format(new Date(date));
    expect(formatLongDate(date)).toBe(styled('long'));
    expect(formatDate(date)).toBe(styled('medium'));
  }
});
