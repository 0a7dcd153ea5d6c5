import fc from 'fast-check';

/** Part of most generated texts. It must not appear in the log. */
export const CANARY = 'zqcanary';

/** Names that a careless lookup finds on every object. */
export const INHERITED = ['__proto__', 'constructor', 'prototype', 'toString'];

/** Characters that often break text handling, such as controls, marks, and halves of a pair. */
const ODD = [
  ...'\0\u0001\u001b\u007f\u0085\u00a0\u0301\u064b\u0651\u200b\u2028\u202e\u2060\u2066\u3164\ufeff',
  ...['\ud800', '\udfff', '👩‍⚕️', '𝕳', 'Ｈ', 'Ноѕріtаl', 'مستشفى', '病院', 'İıßﬃ', '\ufdfa', 'é'],
];

/** Syntax of SQL patterns, full-text queries, numbers, paths, templates, and markup. */
const SYNTAX = [
  ..."% _ \\ ' '' \" ( ) { } & | ! * : , ; ? $1 -- -0 0x10 1e309 NaN null undefined or <-> <2>".split(
    ' ',
  ),
  ...["' or 1=1 --", "'; drop table reviews; --", ':*', "'b':AB", '../../../../etc/passwd'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '$' + '{7*7}', '{a,b}'],
  ...INHERITED,
];

/** Beginnings of what the server looks for in texts: names, phone numbers, addresses, and dates. */
const BEGINNINGS = [
  ...['a', '1', ' ', '\t', 'a.', '1-', '555', '@', "o'", 'st. ', 'jan ', 'patient ', 'http://'],
  ...['call me ', 'at gmail dot ', 'hospital medical center of saint '],
];

const WORDS = ['Hospital', 'Clinic', 'nights', 'St. Mary', 'residency', 'MD', 'Springfield', 'pay'];

/** Words as people type them, with a canary in between. */
const words = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }), fc.nat(999))
  .map(([list, number]) => [...list, `${CANARY}${number}`].join(' '));

const odd = fc
  .array(fc.constantFrom('', ' ', CANARY, ...ODD, ...SYNTAX), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** Two parts, each again and again: they slow down a careless regular expression or search. */
const slow = (max: number) => {
  const part = fc.constantFrom(...BEGINNINGS, ...ODD, ...SYNTAX);
  const half = (text: string) => text.repeat(Math.min(max, 5000) / 2 / text.length);
  return fc
    .tuple(part, part, fc.constantFrom('', 'x', '@'))
    .map(([first, second, end]) => half(first) + half(second) + end);
};

/** Texts of at most `max` UTF-16 units: ordinary, odd, hostile, random, and of maximum length. */
export const texts = (max = 200): fc.Arbitrary<string> =>
  fc
    .oneof(
      { arbitrary: words, weight: 12 },
      { arbitrary: odd, weight: 6 },
      { arbitrary: slow(max), weight: 1 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 3 },
      { arbitrary: words.map((text) => text.padEnd(max, 'ab ')), weight: 1 },
    )
    .map((text) => text.slice(0, max));

/** Searches of one to many words, some of them syntax. */
export const searches = fc.oneof(
  texts(200),
  fc
    .array(fc.constantFrom(...WORDS, ...SYNTAX, 'hosp', 'st', 'of', 'a'), { maxLength: 40 })
    .map((list) => list.join(' ').slice(0, 200)),
);

/** Too long: by one character, by many, and as long as a body can be. */
export const tooLong = (max: number): fc.Arbitrary<string> =>
  fc
    .constantFrom(max + 1, max * 2 + 1, 60_000)
    .map((length) => 'Too long '.repeat(length / 8 + 1).slice(0, length));
