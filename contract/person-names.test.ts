import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNameOf, isSameName } from './person-names.ts';
import { linesOf } from './testing/fixtures.ts';
import { isLinear } from './testing/linear-time.ts';

/** Parses "First | last", with invisible characters written as `\u{…}`. */
function name(text: string) {
  const seen = text.replace(/\\u\{(\w+)\}/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));
  const [first = '', last = ''] = seen.split('|');
  return { first, last };
}

const PAIRS = linesOf('person-names.txt').map((line) => {
  const [, registry, sign, given, reason] = /^(.+?) ([=!]) (.+?) : (.+)$/.exec(line) ?? [];
  if (!registry || !given || !reason) throw new Error(`not a pair: ${line}`);
  return { line, registry: name(registry), given: name(given), isSame: sign === '=' };
});

test('the table has at least 200 pairs, each once', () => {
  expect(new Set(PAIRS.map(({ line }) => line)).size).toBe(PAIRS.length);
  expect(PAIRS.length).toBeGreaterThanOrEqual(200);
});

test.each(PAIRS)('$line', ({ registry, given, isSame }) => {
  expect(isSameName(registry, given)).toBe(isSame);
  expect(isSameName(given, registry)).toBe(isSame);
});

/** Random texts, partly made of characters with special rules. */
const PIECES = ["o'", 'de', 'la', 'y', 'st.', 'jr', 'md', 'do,', 'dr', 'j', 'ö', 'å', 'anna'];
const words = fc.array(fc.constantFrom(...PIECES)).map((pieces) => pieces.join(' '));
const part = fc.oneof(fc.string({ unit: 'binary' }), words);
const anyName = fc.record({ first: part, last: part });
const hasLetter = (text: string) => /\p{Lu}|\p{Ll}|\p{Lo}/u.test(text);

test('is symmetric and never throws', () => {
  fc.assert(
    fc.property(anyName, anyName, (one, other) => {
      expect(isSameName(one, other)).toBe(isSameName(other, one));
    }),
    { numRuns: 2_000 },
  );
});

test('a name with letters equals itself; one without a first or last name equals none', () => {
  fc.assert(
    fc.property(anyName, (any) => {
      if (hasLetter(any.first) && hasLetter(any.last)) expect(isSameName(any, any)).toBe(true);
      expect(isSameName({ ...any, first: ' ' }, any)).toBe(false);
      expect(isSameName({ ...any, last: '' }, any)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ...['a', 'ö', 'ö ', 'a ', 'ab ', 'de ', 'de la '],
  ...[' jr', ', md', "o'", 'j. ', 'y ', '\u200b', '\u0308'],
])('takes time linear in the length of names of %j', (piece) => {
  // Short enough to stay in the young heap: copying it costs more than comparing.
  const compare = (length: number) => {
    const long = `x${piece.repeat(length / piece.length)}`;
    const other = `${long}z`;
    return () => {
      for (let run = 0; run < 10; run += 1) {
        isSameName({ first: long, last: long }, { first: other, last: other });
      }
    };
  };
  const pair = { short: compare(1_000), long: compare(4_000), slackMs: 20 };
  expect(isLinear(pair)).toBe(true);
});

const REGISTRY = ['MIRIAM|LEVY', 'MIRIAM A.|ASHWORTH', 'MIMI|ROSEN'].map(name);
test.each([
  ['Miriam|Levy', true, 'the current name'],
  ['Miriam|Ashworth', true, 'the former name'],
  ['Mimi|Rosen', true, 'another name'],
  ['Miriam|Ashworth-Levy', true, 'the former and the current family name'],
  ['Miriam|Levy Ashworth', true, 'the current and the former family name'],
  ['Miriam Ashworth|Levy', true, 'the former family name as a middle name'],
  ['Miriam|Rosen', false, 'the first name of one and the last name of another'],
  ['Mimi|Levy', false, 'the first name of one and the last name of another'],
  ['Miriam|Rosen-Levy', false, 'the family name of another first name'],
  ['Miriam|Levy-Levy', false, 'one family name twice'],
  ['Miriam|Levy-Stone', false, 'a family name that the registry does not have'],
])('with several registry names, %s matches: %s (%s)', (given, isOne) => {
  expect(isNameOf(REGISTRY, name(given))).toBe(isOne);
});

test('with no registry names, nothing matches', () => {
  expect(isNameOf([], name('Miriam|Levy'))).toBe(false);
});
