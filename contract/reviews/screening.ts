import { REVIEW_TEXT_KEYS } from '../review-choices.ts';

/**
 * Finds patient identifiers and contact details in reviews. The form and the server run the same
 * checks. Only formats that rarely mean anything else match: years, salaries, ratios, doses, and
 * shifts pass.
 */

/** The kinds of findings, as shown to the user. */
export const SCREENING_KINDS = {
  email: 'an email address',
  url: 'a web address',
  ssn: 'a Social Security number',
  phone: 'a phone number',
  mrn: 'a medical record number',
  birth_date: 'a date of birth',
  patient_date: 'a date about a patient',
} as const;
type ScreeningKind = keyof typeof SCREENING_KINDS;

/** `start` and `end` are in UTF-16 units, like `String.slice`. */
interface TextFinding {
  start: number;
  end: number;
  excerpt: string;
  kind: ScreeningKind;
}
export interface Finding extends TextFinding {
  field: string;
}

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
type ScreenedTexts = Partial<Record<(typeof SCREENED_FIELDS)[number], string | null | undefined>>;

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

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const MONTH_NUMBER = '(?:0?[1-9]|1[0-2])';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const NAMED_DAY = `${DAY}(?:st|nd|rd|th)?`;
const YEAR = '(?:19|20)\\d{2}';
/** The same sign between all parts, as in 3/14/2023. */
const numeric = (...parts: string[]) =>
  `(?<!\\d)(?:${['/', '\\.', '-'].map((sign) => parts.join(sign)).join('|')})(?!\\d)`;
const anyOf = (...patterns: string[]) => `(?:${patterns.join('|')})`;
/** A date: 3/14/23, 14.3.2023, 2023-03-14, March 14th, 2023, 14-Mar-2023, 2023 March 14. */
const DATE = [
  numeric(MONTH_NUMBER, DAY, '(?:19|20)?\\d{2}'),
  numeric('(?:1[3-9]|2\\d|3[01])', MONTH_NUMBER, YEAR),
  numeric(YEAR, MONTH_NUMBER, DAY),
  `\\b${MONTH}[\\s-]${NAMED_DAY}(?:,\\s?|[\\s-])${YEAR}\\b`,
  `\\b${NAMED_DAY}[\\s-](?:of\\s)?${MONTH}(?:,\\s?|[\\s-])${YEAR}\\b`,
  `\\b${YEAR}[\\s-]${MONTH}[\\s-]${NAMED_DAY}\\b`,
];
/** Dates only after "DOB": 19750314, 03141975, March 1975, 3/1975. */
const BIRTH_DATE = [
  ...DATE,
  `${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)`,
  `(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])${YEAR}(?!\\d)`,
  `${MONTH}(?:,\\s?|[\\s-])${YEAR}\\b`,
  numeric(MONTH_NUMBER, YEAR),
];

const LABEL = '[\\p{L}\\p{N}-]+';
/** Not in the middle of a name, so that each name is tried once. */
const NAME_START = '(?<![\\p{L}\\p{N}.@-])';
const NAME_END = '(?![\\p{L}\\p{N}])';
const MAIL_HOST = 'gmail|yahoo|hotmail|outlook|icloud|aol|proton(?:mail)?';
const LOCAL_PART = '(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]+';
const inBrackets = (sign: string) => `\\s?[[({<]\\s?(?:${sign})\\s?[\\])}>]\\s?`;
const BRACKETED_AT = inBrackets('at|@');
const BRACKETED_DOT = inBrackets('dot|\\.');
const SPOKEN_DOT = '\\s?\\bdot\\b\\s?';
/** A dot or comma that ends a sentence has a space after it only. */
const DISGUISED_DOT = anyOf('[.,]', '\\s\\.\\s', BRACKETED_DOT, SPOKEN_DOT);

/** Endings that show an address by themselves. */
const ENDING = '(?:com|org|net|edu|gov|mil|info|biz|io|co\\.uk)';
/** Endings before a path. Common words and units are missing: "shift.to/from", "6.cc/kg". */
const PATH_ENDING =
  '(?:ai|app|click|co|dev|ee|eu|gd|gg|gl|gle|gy|io|link|live|ly|page|site|tv|uk|xyz)';
/** Shorteners, meetings, and messengers with other endings. */
const PATH_HOST =
  '(?:(?:zoom|webex)\\.us|(?:t|wa|m|fb|ig|wp|doxy|join|about|signal|telegram|gotomeet)\\.me|youtu\\.be|lnkd\\.in|amzn\\.to|(?:redd|dlvr)\\.it|shorturl\\.at|tr\\.im|po\\.st|jit\\.si|spoti\\.fi|tiny\\.cc|adobe\\.st|nyti\\.ms)';
/** Endings after a disguised dot. */
const ANY_ENDING = anyOf(ENDING, PATH_ENDING, 'us|me|be|in|to|it|at|im|cc|health|clinic|care');
const PATH = '[^\\s<>"]*[^\\s<>".,;:!?)\\]]';

const DIGIT_WORD = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)';

/**
 * Each pattern finds one kind. If matches overlap, the first pattern wins. `squeeze` has collapsed
 * whitespace, so `\s` matches a whole run. All patterns take linear time: repetitions are bounded,
 * or a lookbehind prevents attempts within the same run.
 */
const PATTERNS: readonly (readonly [ScreeningKind, RegExp])[] = [
  ['email', new RegExp(`${LOCAL_PART}@${LABEL}(?:\\.${LABEL})+`, 'giu')],
  [
    'email',
    new RegExp(
      `(?<![\\w.])[\\w.]+\\s?[([]?\\s?(?:\\bat\\b|@)\\s?[)\\]]?\\s?(?:${MAIL_HOST})\\s?[([]?\\s?(?:\\.|\\bdot\\b)\\s?[)\\]]?\\s?com\\b`,
      'gi',
    ),
  ],
  // jdoe [at] mayo [dot] health
  [
    'email',
    new RegExp(
      `${LOCAL_PART}${BRACKETED_AT}${LABEL}(?:${DISGUISED_DOT}${LABEL}){0,3}${DISGUISED_DOT}\\p{L}{2,24}${NAME_END}`,
      'giu',
    ),
  ],
  // jdoe @ mayo dot edu
  [
    'email',
    new RegExp(
      `${LOCAL_PART}\\s?@\\s?${LABEL}(?:${DISGUISED_DOT}${LABEL}){0,3}(?:${DISGUISED_DOT}${ENDING}|${BRACKETED_DOT}${ANY_ENDING})${NAME_END}`,
      'giu',
    ),
  ],
  // jdoe at mayo dot edu, but not "work at a dot com"
  [
    'email',
    new RegExp(
      `${LOCAL_PART}\\sat\\s(?!(?:an?|any|some|that|the|this)\\b)${LABEL}(?:${anyOf(BRACKETED_DOT, SPOKEN_DOT)}${LABEL}){0,3}${anyOf(BRACKETED_DOT, SPOKEN_DOT)}${ENDING}${NAME_END}`,
      'giu',
    ),
  ],
  [
    'email',
    new RegExp(
      `(?<![\\w.-])[\\w.-]+?[_-]at[_-][a-z\\d]+(?:[_-]dot[_-][a-z\\d]+){0,3}[_-]dot[_-]${ENDING}${NAME_END}`,
      'giu',
    ),
  ],
  ['url', /\b(?:(?:h(?:tt|xx)ps?|ftp)\s?:\s?[/\\]{2}\s?|www\.)[^\s<>"]+[^\s<>".,;:!?)\]]/gi],
  // Only lower-case endings: "great work.Net pay was low" lacks a space and is not an address.
  [
    'url',
    new RegExp(`${NAME_START}${LABEL}(?:\\.${LABEL})*\\.${ENDING}(?:/${PATH})?${NAME_END}`, 'gu'),
  ],
  [
    'url',
    new RegExp(
      `${NAME_START}(?:${LABEL}\\.)*${anyOf(`${LABEL}\\.${PATH_ENDING}`, PATH_HOST)}/${PATH}`,
      'giu',
    ),
  ],
  // bit[.]ly/abc, badhospital (dot) com
  [
    'url',
    new RegExp(
      `${NAME_START}${LABEL}(?:${BRACKETED_DOT}${LABEL}){0,3}${BRACKETED_DOT}${ANY_ENDING}${NAME_END}(?:\\s?/\\s?${PATH})?`,
      'giu',
    ),
  ],
  // bit dot ly slash abc
  [
    'url',
    new RegExp(
      `${NAME_START}${LABEL}(?:\\sdot\\s${LABEL}){0,3}\\sdot\\s${ANY_ENDING}\\s?(?:/|\\bslash\\b)\\s?${PATH}`,
      'giu',
    ),
  ],
  ['ssn', /(?<![\d-]|\d[./])\d{3}(\s?[-/_]\s?|[\s.])\d{2}\1\d{4}(?![\d-])/g],
  ['ssn', /\b(?:ssn|social security(?: (?:number|no\.?|#))?)[\s:#is]{0,6}\d{9}(?!\d)/gi],
  ['phone', /(?<![\d.,$-])(?:\+?1[-. ]?)?(?:\(\d{3}\)[-. ]?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\d-])/g],
  // (555)1234567, [555] 123/4567
  [
    'phone',
    /(?<![\d.,$-])(?:\+?1[-./\s]{0,2})?[[({]\d{3}[\])}][-./_\s]{0,3}\d{3}[-./_\s]{0,3}\d{4}(?![\d-])/g,
  ],
  ['phone', /(?<![\d.,$-])(?:\+?1\s?[-_~*•·|]\s?)?\d{3}(\s?[-_~*•·|]\s?)\d{3}\1\d{4}(?![\d-])/g],
  // 555/123/4567, 555/123-4567, but not the doses 500/850/1000.
  [
    'phone',
    /(?<![\d.,$-])(?:\+?1\s?[-/]\s?)?\d{3}\s?\/\s?\d{3}(?:\s?[-/]\s?|\.)(?!\d\d[05]0)\d{4}(?![\d/-])/g,
  ],
  // Area codes and exchanges start at 2 (NANPA).
  ['phone', /(?<![\d.,$-])(?:1[- /])?[2-9]\d{2}(?:[- /][2-9]\d{6}|[2-9]\d{2}-\d{4})(?![\d,-])/g],
  // Ten digits in a row. NPIs start at 1 or 2, so from 3 on any exchange counts.
  ['phone', /(?<![\d.,$-])1?(?:[2-9]\d{2}[2-9]|[3-9]\d{3})\d{6}(?![\d,])/g],
  ['phone', /(?<!\d|\d[\s.-])\d(?:[\s.-]{1,3}\d){9,10}(?!\d|[\s.-]\d)/g],
  ['phone', new RegExp(`\\b${DIGIT_WORD}(?:[\\s,.-]{1,3}${DIGIT_WORD}){6,10}\\b`, 'gi')],
  [
    'phone',
    /\+(?!1\D?\d{3}\D)(?=(?:[-. /()]{0,3}\d){7})\d{1,3}(?:[-. /]?\(?\d{1,4}\)?){2,5}(?!\d)/g,
  ],
  [
    'phone',
    /\b(?:(?:tele)?phone|tel|cell|mobile|fax|pager|beeper|(?:call|text|page|reach) (?:me|us|him|her|them))\b\.?(?: (?:number|no\.?|is|at|on)){0,2}[\s:#]{1,3}\d{3}[-. /]\d{4}(?!\d)/gi,
  ],
  [
    'mrn',
    /\b(?:mrn|medical record|chart|patient id|patient)(?: (?:number|no\.?|id))?(?: is| was)?[\s:#=-]{1,4}[a-z]{0,3}-?\d{5,12}(?![\d,]|\s?\/)/gi,
  ],
  [
    'birth_date',
    new RegExp(
      `\\b(?:dob|d\\.o\\.b\\.?|date of birth|birth ?date|born(?: on)?)[\\s:=,#([-]{0,4}(?:(?:is|was|of)[\\s:]{1,2})?${anyOf(...BIRTH_DATE)}`,
      'gi',
    ),
  ],
];

/** Capitalized, but no name. */
const NO_NAME =
  '(?!(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day|(?:January|February|March|April|June|July|August|September|October|November|December|Access|Advoca|Billing|Care|Centered|Contact|Experience|Financial|First|Flow|Portal|Relations|Rep|Rights|Safety|Satisfaction|Services|Transport|Visits?|Epic|Cerner|Meditech)\\b)';
const NAME_WORD = `${NO_NAME}\\p{Lu}[\\p{L}’'-]{0,24}\\p{Ll}(?!\\p{L})`;
const FULL_NAME = `${NAME_WORD}\\s(?:\\p{Lu}\\.?\\s)?\\p{Lu}[\\p{L}’'-]{1,24}`;
const SOME_NAME = `${NAME_WORD}(?:\\s(?:\\p{Lu}\\.?\\s)?\\p{Lu}[\\p{L}’'-]{1,24})?`;
const CALLED = '(?:,\\s|\\s(?:(?:named|called|is|was)\\s)?)';
const AGED = '\\d{1,3}[-\\s]years?[-\\s]old';

const PATIENT_NAMES = [
  new RegExp(`\\b(?:patient|pt\\.?)${CALLED}${SOME_NAME}`, 'gu'),
  new RegExp(`\\b(?:Patient|Pt\\.?)${CALLED}${FULL_NAME}`, 'gu'),
  new RegExp(`\\b(?:Mrs?|Ms)\\.?\\s${SOME_NAME}`, 'gu'),
  new RegExp(
    `(?<!\\d)${AGED}(?:\\s(?:man|woman|male|female|boy|girl|patient))?${CALLED}${SOME_NAME}`,
    'gu',
  ),
  new RegExp(`(?<!\\p{L})(?:${FULL_NAME},?|${NAME_WORD},)\\s(?:an?\\s)?${AGED}`, 'gu'),
];

/** Mentions one patient. Compounds such as "patient volume" and "patient care" do not match. */
const ONE_PATIENT =
  /\b(?:patient|pt)(?:['’]s)?\b(?!\s(?:access|base|care|census|contact|days?|encounters?|experience|flow|load|mix|numbers?|panel|population|portal|ratios?|safety|satisfaction|surveys?|visits?|volumes?))/i;

/** Dates in a sentence that mentions one patient. */
const ANY_DATE = DATE.map((date) => new RegExp(date, 'gi'));

/** A period after these does not end a sentence: "Jan. 5, 2023", "pt. seen". */
const ABBREVIATION = new RegExp(`\\b(?:${MONTH}|pt|no|dr|st)\\.?$`, 'i');

/** Longer than the longest abbreviation. */
const ABBREVIATION_REACH = 12;
