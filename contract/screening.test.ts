import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeFinding, screen, screenText } from './screening.ts';
import type { ScreeningKind } from './screening-patterns.ts';
import { isLinear } from './testing/linear-time.ts';

const REFUSED: readonly (readonly [string, ScreeningKind, string])[] = [
  ['Ask for Sam, sam.k+x@clinic.example for details', 'email', 'sam.k+x@clinic.example'],
  ['write to josé@hôpital.example', 'email', 'josé@hôpital.example'],
  ['reach me: jane.doe at gmail dot com', 'email', 'jane.doe at gmail dot com'],
  ['jane [at] yahoo [dot] com', 'email', 'jane [at] yahoo [dot] com'],
  ['See https://example.org/a?b=c.', 'url', 'https://example.org/a?b=c'],
  ['on www.badhospital.example, read it', 'url', 'www.badhospital.example'],
  ['posted at badhospital.com/reviews last year', 'url', 'badhospital.com/reviews'],
  ['SSN 123-45-6789', 'ssn', '123-45-6789'],
  ['123 45 6789 was on the chart', 'ssn', '123 45 6789'],
  ['his social security number is 123456789', 'ssn', 'social security number is 123456789'],
  ['call 212-555-0187 now', 'phone', '212-555-0187'],
  ['call (212) 555-0187', 'phone', '(212) 555-0187'],
  ['1-800-555-0187', 'phone', '1-800-555-0187'],
  ['+1 212.555.0187', 'phone', '+1 212.555.0187'],
  ['212 555 0187', 'phone', '212 555 0187'],
  ['2125550187', 'phone', '2125550187'],
  ['212\u2013555\u20130187', 'phone', '212\u2013555\u20130187'],
  ['+44 20 7946 0958', 'phone', '+44 20 7946 0958'],
  ['my pager is 555-0187', 'phone', 'pager is 555-0187'],
  ['text me at 555-0187', 'phone', 'text me at 555-0187'],
  ['MRN 0048213', 'mrn', 'MRN 0048213'],
  ['mrn: A-0048213', 'mrn', 'mrn: A-0048213'],
  ['medical record number #12345678', 'mrn', 'medical record number #12345678'],
  ['Patient ID 4482133', 'mrn', 'Patient ID 4482133'],
  ['DOB 3/14/1962', 'birth_date', 'DOB 3/14/1962'],
  ['born on March 14, 1962', 'birth_date', 'born on March 14, 1962'],
  ['A patient died on 03/14/2023 in triage.', 'patient_date', '03/14/2023'],
  ['On Jan. 5, 2023 the pt was left alone.', 'patient_date', 'Jan. 5, 2023'],
  ['The patient was seen 2023-03-14', 'patient_date', '2023-03-14'],
  ["14th of March 2023, that patient's family", 'patient_date', '14th of March 2023'],
];

test.each(REFUSED)('finds in %j: %s', (text, kind, excerpt) => {
  const [finding, ...others] = screenText(text);
  expect(finding).toMatchObject({ kind, excerpt });
  expect(text.slice(finding?.start, finding?.end)).toBe(excerpt);
  expect(others).toEqual([]);
});

const DISGUISED: readonly (readonly [string, ScreeningKind, string])[] = [
  ['My number: (555)1234567', 'phone', '(555)1234567'],
  ['ask at (555) 1234567, or not', 'phone', '(555) 1234567'],
  ['[555] 123-4567 until noon', 'phone', '[555] 123-4567'],
  ['555/123/4567 after six', 'phone', '555/123/4567'],
  ['1/800/555/0187 is the line', 'phone', '1/800/555/0187'],
  ['212 - 555 - 0187', 'phone', '212 - 555 - 0187'],
  ['212_555_0187, 24/7', 'phone', '212_555_0187'],
  ['212*555*0187', 'phone', '212*555*0187'],
  ['212 \u2022 555 \u2022 0187', 'phone', '212 \u2022 555 \u2022 0187'],
  ['212-5550187', 'phone', '212-5550187'],
  ['212555-0187', 'phone', '212555-0187'],
  ['5551234567', 'phone', '5551234567'],
  ['555/123-4567', 'phone', '555/123-4567'],
  ['2 1 2 5 5 5 0 1 8 7', 'phone', '2 1 2 5 5 5 0 1 8 7'],
  ['2.1.2-5.5.5-0.1.8.7', 'phone', '2.1.2-5.5.5-0.1.8.7'],
  [
    'at two one two, five five five, oh one eight seven.',
    'phone',
    'two one two, five five five, oh one eight seven',
  ],
  ['+44/20/7946/0958', 'phone', '+44/20/7946/0958'],
  ['call us at 555/0187', 'phone', 'call us at 555/0187'],
  ['DOB 1975/03/14', 'birth_date', 'DOB 1975/03/14'],
  ['dob: 1975.3.14', 'birth_date', 'dob: 1975.3.14'],
  ['D.O.B. 14/03/1975', 'birth_date', 'D.O.B. 14/03/1975'],
  ['DOB=19750314', 'birth_date', 'DOB=19750314'],
  ['dob 03141975', 'birth_date', 'dob 03141975'],
  ['DOB 14-Mar-1975', 'birth_date', 'DOB 14-Mar-1975'],
  ['DOB 1975 March 14', 'birth_date', 'DOB 1975 March 14'],
  ['DOB (3/14/75)', 'birth_date', 'DOB (3/14/75'],
  ['date of birth: March 1975', 'birth_date', 'date of birth: March 1975'],
  ['date of birth of 03/1975', 'birth_date', 'date of birth of 03/1975'],
  ['the patient came 2023/03/14', 'patient_date', '2023/03/14'],
  ['the patient came 14.03.2023', 'patient_date', '14.03.2023'],
  ['the patient came 14-Mar-2023', 'patient_date', '14-Mar-2023'],
  ['SSN 123/45/6789', 'ssn', '123/45/6789'],
  ['123 - 45 - 6789', 'ssn', '123 - 45 - 6789'],
  ['123.45.6789', 'ssn', '123.45.6789'],
  ['see bit.ly/abc123.', 'url', 'bit.ly/abc123'],
  ['join zoom.us/j/1234, please', 'url', 'zoom.us/j/1234'],
  ['us02web.zoom.us/j/81234', 'url', 'us02web.zoom.us/j/81234'],
  ['t.me/badhospital', 'url', 't.me/badhospital'],
  ['wa.me/15551234567', 'url', 'wa.me/15551234567'],
  ['youtu.be/dQw4w9', 'url', 'youtu.be/dQw4w9'],
  ['lnkd.in/x9', 'url', 'lnkd.in/x9'],
  ['discord.gg/docs', 'url', 'discord.gg/docs'],
  ['linktr.ee/docs', 'url', 'linktr.ee/docs'],
  ['doxy.me/drx', 'url', 'doxy.me/drx'],
  ['meet.jit.si/room', 'url', 'meet.jit.si/room'],
  ['badhospital.co/list', 'url', 'badhospital.co/list'],
  ['badhospital.co.uk', 'url', 'badhospital.co.uk'],
  ['bit[.]ly/abc123', 'url', 'bit[.]ly/abc123'],
  ['bit (dot) ly / abc', 'url', 'bit (dot) ly / abc'],
  ['bit dot ly slash abc', 'url', 'bit dot ly slash abc'],
  ['badhospital [dot] com', 'url', 'badhospital [dot] com'],
  ['hxxps://tarn.example/a', 'url', 'hxxps://tarn.example/a'],
  ['http : // tarn.example', 'url', 'http : // tarn.example'],
  ['https:\\\\tarn.example', 'url', 'https:\\\\tarn.example'],
  ['jdoe [at] mayo [dot] edu', 'email', 'jdoe [at] mayo [dot] edu'],
  ['jdoe(at)mayo(dot)edu', 'email', 'jdoe(at)mayo(dot)edu'],
  ['jdoe {at} cs {dot} mayo {dot} edu', 'email', 'jdoe {at} cs {dot} mayo {dot} edu'],
  ['jdoe <at> mayo.edu', 'email', 'jdoe <at> mayo.edu'],
  ['j.doe AT mayo DOT edu', 'email', 'j.doe AT mayo DOT edu'],
  ['jdoe (@) mayo (.) edu', 'email', 'jdoe (@) mayo (.) edu'],
  ['jdoe @ mayo.edu', 'email', 'jdoe @ mayo.edu'],
  ['jdoe@mayo dot edu', 'email', 'jdoe@mayo dot edu'],
  ['jdoe@mayo,edu', 'email', 'jdoe@mayo,edu'],
  ['jdoe@mayo [dot] health', 'email', 'jdoe@mayo [dot] health'],
  ['jdoe @ mayo . edu', 'email', 'jdoe @ mayo . edu'],
  ['jdoe_at_mayo_dot_edu', 'email', 'jdoe_at_mayo_dot_edu'],
];

test.each(DISGUISED)('finds the disguised %j: %s', (text, kind, excerpt) => {
  expect(screenText(text)).toEqual([
    { kind, excerpt, start: text.indexOf(excerpt), end: text.indexOf(excerpt) + excerpt.length },
  ]);
});

const honestReviews = readFileSync(
  path.join(import.meta.dirname, 'fixtures/honest-reviews.txt'),
  'utf8',
)
  .trimEnd()
  .split('\n');

test('accepts 600 honest reviews', () => {
  expect(honestReviews.length).toBeGreaterThanOrEqual(600);
  const alarms = honestReviews.flatMap((text) => screenText(text).map(describeFinding));
  expect(alarms).toEqual([]);
  // As one text too: no pattern reaches from one sentence into the next.
  expect(screenText(honestReviews.join('\n')).map(describeFinding)).toEqual([]);
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

const PASSED = [
  'From 2016 to 2023, 2019-2023, class of 2021.',
  'About 6,500-7,200 wRVUs at $52.50; 4500 RVUs; 300-4000 RVUs a year.',
  '$250,000 base, $1,250,000 over 4 years, 401(k) match of 4%, a 1099 job.',
  'Open 24/7, 7 on 7 off, 7-on/7-off, 1:1 supervision, a 1:4 to 1:6 ratio, Q4 call.',
  '0.5 mg/kg, 120/80, 1.0 FTE, 0.8-1.0 FTE, 10-12 hours, 3.14159',
  'CPT 99213-25, ICD-10 E11.9, H-1B and J-1, Conrad 30, level 1, PGY-2, STEMI in 90 minutes.',
  'Started 07/01/2019. Patient volume doubled. Patients waited for hours.',
  'Patient volume doubled after 01/01/2020, and patient care suffered.',
  'We see 25000 patients a year, 100,000 visits; patient 12 of 20; call volume 200-1000.',
  'Call 9-1-1; dial 988; ext. 4411; route 128; 62704-1234; room 4-120.',
  'St. Mary, U.S. graduates, e.g. a.m. rounds, M.D. or D.O., great work.Net pay was low.',
  'Contract dated March 1, 2022 with a 90 day notice.',
  'The NPI 1234567893 was on the form.',
  'Text me any time, they said; the phone rang 300 times.',
  'A former dot com executive; I left at the dot com crash. I use dot phrases.',
  'Great.and/or bad, M.D./D.O., b.i.d./t.i.d., 5.mg/kg, home by noon.so/so pay.',
  'Seen @ noon. Net pay was low. Lunch @ Mayo, info below. Ready at noon. Org charts change.',
  '500/850/1000 mg, 100/200/300 mg, 12/24/36 months, 2019/2020, 2020/2021/2022, and 98/60 (123) overnight.',
  'From 1, 2, 3, 4, 5, 6, 7, 8, 9, 10; one two three four; 2 3 4 5 6 7.',
  'The DOB field, born 1975, my birth year of 1975, DOB checks on 2,000 charts.',
  'I work at Pets dot organization; the doctors (at night) and (dot) matrix printers.',
];

test.each(PASSED)('accepts: %s', (text) => {
  expect(screenText(text)).toEqual([]);
});

test('lists fields and positions in order', () => {
  const findings = screen({
    review_text: 'Call 212-555-0187 or mail a@b.example.',
    pros: 'Fine.',
    cons: 'MRN 0048213',
  });
  expect(findings.map(({ field, kind }) => [field, kind])).toEqual([
    ['review_text', 'phone'],
    ['review_text', 'email'],
    ['cons', 'mrn'],
  ]);
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
  ...[
    'dob ',
    'a.ly/',
    '(555)',
    '555/',
    'http : ',
    '[',
    '( ',
    '@ ',
    'a_at_',
    '_dot_',
    'zoom.us',
    '-',
  ],
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
