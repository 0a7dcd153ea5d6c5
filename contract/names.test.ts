import fc from 'fast-check';
import { expect, test } from 'vitest';
import { titleCase } from './names.ts';
import { linesOf } from './testing/fixtures.ts';

const pairsIn = (fixture: string) =>
  linesOf(fixture).map((line) => line.split(' | ') as [string, string]);

test.each(pairsIn('cased-names.txt'))('%s', (name, cased) => expect(titleCase(name)).toBe(cased));

const hospitals = pairsIn('hospital-names.txt');

test('300 names of the HIFLD hospitals file', () => {
  expect(hospitals).toHaveLength(300);
  expect(hospitals.map(([name]) => [name, titleCase(name)])).toEqual(hospitals);
});

test('changes only the case of letters, and is idempotent', () => {
  const word = fc.constantFrom('', ...hospitals.flat());
  const text = fc.oneof(word, fc.string({ unit: 'grapheme-ascii' }));
  fc.assert(
    fc.property(text, (name) => {
      const cased = titleCase(name);
      expect(cased.toLowerCase()).toBe(name.toLowerCase());
      expect(titleCase(cased)).toBe(cased);
    }),
  );
});
