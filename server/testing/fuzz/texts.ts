import fc from 'fast-check';

/** Part of most generated texts. It must not appear in the log. */
export const CANARY = 'zqcanary';

/** Characters that often break text handling. */
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  `${CANARY}\u0000`,
  '\ud800',
  'x\udfff',
  '\u202e\u2066abc',
  `e${'\u0301'.repeat(90)}`,
  '👩‍⚕️🏥',
  '𝕳𝖔𝖘𝖕𝖎𝖙𝖆𝖑',
  'Ｈｏｓｐｉｔａｌ',
  'Ноѕріtаl',
  'م\u064b\u0651ستشفى',
  '病院',
  '\u200b\ufeff\u2060',
  '\u3164',
  '\u2028\u2029\u0085',
  'İıßﬃ',
  '\ufdfa\ufdfa\ufdfa',
  '\u007f\u0001\u001b[2J',
];

/** Syntax of SQL patterns, full-text queries, paths, templates, and markup. */
const SYNTAX_TEXTS = [
  "' or 1=1 --",
  "'; drop table reviews; --",
  '%',
  '_',
  '\\',
  '%_\\%\\',
  'a & b | !c <-> d:*',
  "'a' <2> 'b':AB",
  '((((:*',
  '"open phrase',
  '-not or -',
  '& | ! ( )',
  '$1 $2 ?',
  '{a,b}',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '$' + '{7*7}',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '99999999999999999999999999',
  '0x10',
  '1,2,3',
  '__proto__',
  'constructor',
  'toString',
];

/** Texts that slow down a careless regular expression or search. */
const SLOW_TEXTS = [
  `${'a'.repeat(1667)}${' '.repeat(3332)}x`,
  `${'a.'.repeat(2400)}@`,
  `${'1-'.repeat(2400)}x`,
  `${'1 '.repeat(2400)}x`,
  `(${'555'.repeat(1500)}`,
  `http://${'a.'.repeat(2400)}`,
  `${'a'.repeat(4000)}@${'b'.repeat(900)}`,
  `patient ${'jan '.repeat(1200)}`,
  `${'call me '.repeat(600)}`,
  `${'\u00a0'.repeat(2500)}${'\t'.repeat(2400)}x`,
  `${'at gmail dot '.repeat(380)}`,
  `${'st. '.repeat(1240)}`,
  `${"o'".repeat(2400)}`,
  'a '.repeat(2400),
  'hospital medical center of saint '.repeat(150),
  Array.from({ length: 900 }, (_, at) => `w${at}`).join(' '),
  '%'.repeat(4999),
  '_%'.repeat(2400),
  'é'.repeat(4999),
  '𝕳'.repeat(2400),
  '('.repeat(4999),
  '"'.repeat(4999),
  '\u0301'.repeat(4999),
];

const WORDS = ['Hospital', 'Clinic', 'nights', 'St. Mary', 'residency', 'MD', 'Springfield', 'pay'];

/** Words as people type them, with a canary in between. */
const words = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }), fc.nat(999))
  .map(([list, number]) => [...list, `${CANARY}${number}`].join(' '));

/** Texts of at most `max` UTF-16 units: ordinary, odd, hostile, random, and of maximum length. */
export function texts(max = 200): fc.Arbitrary<string> {
  const cut = (text: string) => text.slice(0, max);
  return fc.oneof(
    { arbitrary: words.map(cut), weight: 12 },
    { arbitrary: fc.constantFrom(...ODD_TEXTS, ...SYNTAX_TEXTS).map(cut), weight: 6 },
    { arbitrary: fc.constantFrom(...SLOW_TEXTS).map(cut), weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: Math.min(max, 40) }).map(cut), weight: 3 },
    { arbitrary: words.map((text) => text.padEnd(max, 'ab ').slice(0, max)), weight: 1 },
  );
}

/** Searches of one to many words, some of them syntax. */
export const searches = fc.oneof(
  texts(200),
  fc
    .array(fc.constantFrom(...WORDS, ...SYNTAX_TEXTS, 'hosp', 'st', 'of', 'a'), { maxLength: 40 })
    .map((list) => list.join(' ').slice(0, 200)),
);

/** Too long: by one character, by many, and as long as a body can be. */
export const tooLong = (max: number): fc.Arbitrary<string> =>
  fc
    .constantFrom(max + 1, max * 2 + 1, 60_000)
    .map((length) => 'Too long '.repeat(length / 8 + 1).slice(0, length));
