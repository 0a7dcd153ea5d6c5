import { expect, test } from 'vitest';
import { partsOf } from './employer-reviews.tsx';

const VISA = ['visa', 'visas', 'h1b', 'h 1b', 'j 1', 'green card'];

test.for([
  ['H-1B and J-1, then a green  card.', ['H-1B', 'J-1', 'green  card']],
  ['Visas, a VISA; no visage, no televisa.', ['Visas', 'VISA']],
  ['h1b', ['h1b']],
  ['A visa\u00e9 is no visa', ['visa']],
  ['Nothing here.', []],
  ['', []],
] as const)('marks the words and phrases of a concern: %s', ([text, marked]) => {
  const parts = partsOf(text, VISA);
  expect(parts.join('')).toBe(text);
  expect(parts.filter((_, at) => at % 2 === 1)).toEqual(marked);
});

test('marks nothing without words', () => {
  expect(partsOf('visa', [])).toEqual(['visa']);
});
