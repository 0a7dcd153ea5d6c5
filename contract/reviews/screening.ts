import { REVIEW_TEXT_KEYS } from '../review-choices.ts';
import {
  ABBREVIATION,
  ANY_DATE,
  PATIENT_NAMES,
  PATTERNS,
  SCREENING_KINDS,
  type ScreeningKind,
} from './screening-patterns.ts';

/**
 * Finds patient identifiers and contact details in reviews. The form and the server run the same
 * checks. Only formats that rarely mean anything else match: years, salaries, ratios, doses, and
 * shifts pass.
 */

/** `start` and `end` are in UTF-16 units, like `String.slice`. */
export interface TextFinding {
  start: number;
  end: number;
  excerpt: string;
  kind: ScreeningKind;
}
export interface Finding extends TextFinding {
  field: string;
}

/** Mentions one patient. Compounds such as "patient volume" and "patient care" do not match. */
const ONE_PATIENT =
  /\b(?:patient|pt)(?:['’]s)?\b(?!\s(?:access|base|care|census|contact|days?|encounters?|experience|flow|load|mix|numbers?|panel|population|portal|ratios?|safety|satisfaction|surveys?|visits?|volumes?))/i;

/** Returns the findings in a text, in order of position. */
export function screenText(text: string): TextFinding[] {
  const { squeezed, places } = squeeze(plainPunctuation(text));
  const found: TextFinding[] = [];
  const taken = new Uint8Array(squeezed.length);
  const add = (from: number, to: number, kind: ScreeningKind) => {
    if (taken.subarray(from, to).includes(1)) return;
    taken.fill(1, from, to);
    const start = places[from] ?? 0;
    const end = (places[to - 1] ?? 0) + 1;
    found.push({ start, end, excerpt: text.slice(start, end), kind });
  };
  for (const [kind, pattern] of PATTERNS) {
    for (const match of squeezed.matchAll(pattern)) {
      add(match.index, match.index + match[0].length, kind);
    }
  }
  for (const [start, sentence] of sentencesOf(squeezed)) {
    if (!ONE_PATIENT.test(sentence)) continue;
    for (const date of ANY_DATE) {
      for (const match of sentence.matchAll(date)) {
        const at = start + match.index;
        add(at, at + match[0].length, 'patient_date');
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Returns the findings in several fields, field by field in the given order. */
export function screen(fields: Readonly<Record<string, string | null | undefined>>): Finding[] {
  return Object.entries(fields).flatMap(([field, text]) =>
    screenText(text ?? '').map((finding) => ({ field, ...finding })),
  );
}

const SCREENED_FIELDS = ['employer', 'city', 'position_title', ...REVIEW_TEXT_KEYS] as const;
export type ScreenedTexts = Partial<
  Record<(typeof SCREENED_FIELDS)[number], string | null | undefined>
>;

/** Returns the findings in the texts of a review. `employer` and `city` are of a new employer. */
export const screenReview = (review: ScreenedTexts): Finding[] =>
  screen(Object.fromEntries(SCREENED_FIELDS.map((field) => [field, review[field]])));

/**
 * Returns where a patient may be named: "my patient Mary Smith", "Mrs. Smith", "Mary, a 72-year-old".
 * Only a hint: Mr. Smith may be the CEO, so nothing rejects such a text.
 */
export const patientNamesIn = (text: string): Omit<TextFinding, 'kind'>[] =>
  PATIENT_NAMES.flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ 0: excerpt, index: start }) => ({ start, end: start + excerpt.length, excerpt }))
    .sort((a, b) => a.start - b.start);

/** The message for a finding. */
export const describeFinding = ({ excerpt, kind }: TextFinding) =>
  `"${excerpt}" looks like ${SCREENING_KINDS[kind]}. Please remove it.`;

/** Maps typographic dashes, spaces, slashes, and dots, full-width characters, and Arabic digits to ASCII. */
function plainPunctuation(text: string): string {
  return (
    text
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\u00a0\u2007\u202f]/g, ' ')
      .replace(/[\u2044\u2215]/g, '/')
      .replace(/[\u2024\u3002\uff61]/g, '.')
      .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
      // Arabic-Indic digits and their Persian forms: the last four bits are the value.
      .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
  );
}

/**
 * Collapses each run of whitespace to one character (a line break if the run has one) and removes
 * invisible characters (zero-width, soft hyphens). `places` maps each remaining character to its
 * position in the text.
 */
function squeeze(text: string): { squeezed: string; places: Uint32Array } {
  const places = new Uint32Array(text.length);
  let length = 0;
  let copied = 0;
  let squeezed = '';
  const keep = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) places[length++] = at;
  };
  for (const { 0: run, index } of text.matchAll(/[\s\p{Cf}]{2,}|\p{Cf}/gu)) {
    const isSpace = /\s/.test(run);
    const left = run.includes('\n') ? '\n' : isSpace ? ' ' : '';
    squeezed += text.slice(copied, index) + left;
    keep(copied, index + left.length);
    copied = index + run.length;
  }
  keep(copied, text.length);
  return { squeezed: squeezed + text.slice(copied), places };
}

/** Longer than the longest abbreviation. */
const ABBREVIATION_REACH = 12;

/** Sentences with their start positions. A period ends a sentence only before a space. */
function sentencesOf(text: string): [number, string][] {
  const sentences: [number, string][] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/[.!?](?=\s)|\n/g)) {
    const before = text.slice(Math.max(start, index - ABBREVIATION_REACH), index);
    if (mark === '.' && ABBREVIATION.test(before)) continue;
    sentences.push([start, text.slice(start, index + 1)]);
    start = index + 1;
  }
  sentences.push([start, text.slice(start)]);
  return sentences;
}
