import { expect, test } from 'vitest';
import { matchOptions, pickOption } from './option-field.tsx';

const cities = ['Mayagüez', 'New Haven', 'Haverhill', 'York', 'New York'];

test('lists options that start with the typed text first, regardless of accents and case', () => {
  expect(matchOptions(cities, 'york').shown).toEqual(['York', 'New York']);
  expect(matchOptions(cities, 'hav').shown).toEqual(['Haverhill', 'New Haven']);
  expect(matchOptions(cities, 'MAYAGUEZ ').shown).toEqual(['Mayagüez']);
  expect(matchOptions(cities, '').shown).toEqual(cities);
  expect(matchOptions(cities, 'zz').shown).toEqual([]);
});

test('lists up to 200 options, says so if there are more, and finds all by typing', () => {
  const many = Array.from({ length: 287 }, (_, place) => `Position ${place + 1}`);
  expect(matchOptions(many.slice(0, 200), '').shown).toHaveLength(200);
  expect(matchOptions(many.slice(0, 200), '').note).toBeNull();
  expect(matchOptions(many, '').shown).toHaveLength(200);
  expect(matchOptions(many, '').note).toBe('Showing 200 of 287. Type to narrow the list.');
  expect(matchOptions(many, 'position 1').note).toBeNull();
  for (const option of many) expect(pickOption(many, option)).toBe(option);
});

test('picks the option typed in full, or the only one left', () => {
  expect(pickOption(cities, 'york')).toBe('York');
  expect(pickOption(cities, 'haverh')).toBe('Haverhill');
  expect(pickOption(cities, 'new')).toBeUndefined();
  expect(pickOption(cities, 'zz')).toBeUndefined();
});
