import { expect, test } from 'vitest';
import { linesOf } from '../testing/fixtures.ts';
import { isLinear } from '../testing/linear-time.ts';
import { describeFinding, patientNamesIn, screen, screenText } from './screening.ts';

const TEXTS = linesOf('screened-texts.txt').map((line) => {
  const [, kind = '', text = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
  return { kind, text };
});
const FOUND = TEXTS.filter(({ kind }) => kind !== 'accepted');
const PASSED = TEXTS.filter(({ kind }) => kind === 'accepted');

test.each(FOUND)('finds the $kind in $text', ({ kind, text }) => {
  const [before = '', excerpt = '', after = ''] = text.split(/[«»]/);
  const [start, end] = [before.length, before.length + excerpt.length];
  expect(screenText(before + excerpt + after)).toEqual([{ kind, excerpt, start, end }]);
});

const honestReviews = linesOf('honest-reviews.txt');

test('accepts 600 honest reviews', () => {
  expect(honestReviews.length).toBeGreaterThanOrEqual(600);
  const alarms = honestReviews.flatMap((text) => screenText(text).map(describeFinding));
  expect(alarms).toEqual([]);
  // As one text too: no pattern reaches from one sentence into the next.
  expect(screenText(honestReviews.join('\n')).map(describeFinding)).toEqual([]);
});

const NAMED = [
  'I lost «patient Mary Smith» over staffing.',
  'My «patient Mary» waited nine hours.',
  'A «patient named José Ortiz-Vega» fell.',
  'They discharged the «pt. John Q. Public» too early.',
  '«Mrs. O’Hara» never got her antibiotics.',
  '«Mr Lee» waited in the hall.',
  'A «72-year-old Mary Smith» waited in the hall.',
  'A «9-year-old boy named Tim» coded.',
  '«Mary Smith, a 72-year-old» with sepsis, waited.',
  'We had «Mary, 72 years old», in the hall.',
];

test.each(NAMED)('warns of a name: %s', (marked) => {
  const [before = '', excerpt = '', after = ''] = marked.split(/[«»]/);
  const [start, end] = [before.length, before.length + excerpt.length];
  const text = before + excerpt + after;
  expect(patientNamesIn(text)).toEqual([{ start, end, excerpt }]);
  expect(screenText(text)).toEqual([]);
});

test.each([
  'One patient Monday, twelve patients Friday.',
  'The Patient Safety Officer and Patient First were kind.',
  'Our 4-year-old Epic build crashes. My 3-year-old loves the daycare.',
  'Every patient I saw was insured. The Mrs. agrees.',
  'A patient ratio of 1:4, and patient care comes first.',
])('does not warn: %s', (text) => expect(patientNamesIn(text)).toEqual([]));

test('warns of at most 6 of the honest reviews', () => {
  const warned = honestReviews.filter((text) => patientNamesIn(text).length > 0);
  expect(warned.length, warned.join('\n')).toBeLessThanOrEqual(6);
  expect(patientNamesIn(honestReviews.join('\n')).length).toBeLessThanOrEqual(6);
});

test('the honest reviews are 15 to 60 words long, and no two share eight words in a row', () => {
  const firstUse = new Map<string, number>();
  for (const [at, text] of honestReviews.entries()) {
    const words = text.toLowerCase().split(' ');
    expect(words.length, text).toBeGreaterThanOrEqual(15);
    expect(words.length, text).toBeLessThanOrEqual(60);
    for (let from = 0; from + 8 <= words.length; from += 1) {
      const run = words.slice(from, from + 8).join(' ');
      expect(firstUse.get(run) ?? at, run).toBe(at);
      firstUse.set(run, at);
    }
  }
});

test.each(PASSED)('accepts: $text', ({ text }) => expect(screenText(text)).toEqual([]));

test('lists fields and positions in order', () => {
  const review_text = 'Call 212-555-0187 or mail a@b.example.';
  const findings = screen({ review_text, pros: 'Fine.', cons: 'MRN 0048213' });
  const found = findings.map(({ field, kind }) => `${field} ${kind}`);
  expect(found).toEqual(['review_text phone', 'review_text email', 'cons mrn']);
  const described = '"MRN 0048213" looks like a medical record number. Please remove it.';
  expect(findings.map(describeFinding)[2]).toBe(described);
});

test('extra whitespace hides nothing', () => {
  const gap = ' '.repeat(3000);
  for (const [text, kind] of [
    [`jane.doe${gap}at${gap}gmail${gap}dot com`, 'email'],
    [`212${gap}555${gap}0187`, 'phone'],
    [`DOB:\n${gap}3/14/1962`, 'birth_date'],
    [`March${gap}14,${gap}1962, the patient`, 'patient_date'],
  ] as const) {
    const [finding, ...others] = screenText(`${gap}So: ${text}${gap}`);
    expect(finding?.kind).toBe(kind);
    expect(text).toContain(finding?.excerpt);
    expect(others).toEqual([]);
  }
});

const SEEDS = [
  ...['a.', '1-', '1 ', '(212) 555', 'a@', 'www.', 'born ', '+1 1 1', 'patient ', 'a. ', 'pt.\n'],
  ...['212-555-0187 ', 'a@b.cc ', 'MRN 00482 ', '3/14/2023 patient ', 'gmail', 'a at '],
  ...['a [at] ', 'a.b.', 'a[dot]', ' [dot] a', 'a dot ', 'a@b', '1.1-', '1 - ', 'one ', 'one, '],
  ...['dob ', 'a.ly/', '(555)', '555/', 'http : ', '[', '( ', '@ ', 'a_at_', '_dot_', 'zoom.us'],
  '-',
];

test('takes linear time on text made to slow it down', () => {
  for (const a of SEEDS) {
    for (const b of ['    ', a, 'a.', 'gmail', '1 ']) {
      const screenLong = (length: number) => () =>
        screenText(a.repeat(length / 3 / a.length) + b.repeat(length / 1.5 / b.length));
      const pair = { short: screenLong(5_000), long: screenLong(20_000), slackMs: 10 };
      expect(isLinear(pair), `${a} and ${b}`).toBe(true);
    }
  }
});

test.each([
  ['phone', '5\u200b55-123-4567'],
  ['ssn', '123\u00ad-45-67\u200b89'],
  ['email', 'doc\uff20mail.example'],
  ['url', 'h\u200bttps://tarn.example/a'],
  ['mrn', 'M\u2060RN 123456'],
  ['url', 'bit\u3002ly\u2215abc'],
  ['phone', '\u0665\u0665\u0665-\u0661\u0662\u0663-\u0664\u0665\u0666\u0667'],
])('hidden or look-alike characters do not hide a finding: %s', (kind, hidden) => {
  const text = `Ask for ${hidden} at night.`;
  const findings = screenText(text);
  expect(findings.map((finding) => finding.kind)).toEqual([kind]);
  expect(text.slice(findings[0]?.start, findings[0]?.end)).toBe(findings[0]?.excerpt);
  expect(hidden).toContain(findings[0]?.excerpt);
});
