import { expect, test } from 'vitest';
import { matchOptions, pickOption } from './option-field.tsx';

const cities = ['Mayagüez', 'New Haven', 'Haverhill', 'York', 'New York'];

test('lists options that start with the typed text first, regardless of accents and case', () => {
  expect(matchOptions(cities, 'york')).toEqual(['York', 'New York']);
  expect(matchOptions(cities, 'hav')).toEqual(['Haverhill', 'New Haven']);
  expect(matchOptions(cities, 'MAYAGUEZ ')).toEqual(['Mayagüez']);
  expect(matchOptions(cities, '')).toEqual(cities);
  expect(matchOptions(cities, 'zz')).toEqual([]);
});

test('picks the option typed in full, or the only one left', () => {
  expect(pickOption(cities, 'york')).toBe('York');
  expect(pickOption(cities, 'haverh')).toBe('Haverhill');
  expect(pickOption(cities, 'new')).toBeUndefined();
  expect(pickOption(cities, 'zz')).toBeUndefined();
});
