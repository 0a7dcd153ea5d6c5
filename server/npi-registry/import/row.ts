import { OperatorError } from '#server/errors/operator-error.ts';
import { type PostalAddress, professionOf, toPostalAddress } from '../registry.ts';

/** Number of columns in the file (CMS, "NPPES Data Dissemination", file layout of version 2). */
export const WIDTH = 330;
/** Maximum number of taxonomies in a row. Their columns repeat, four at a time. */
const TAXONOMIES = 15;
export const TAXONOMY_STEP = 4;

/** Zero-based indexes of the columns that are read. */
export const AT = {
  npi: 0,
  entityType: 1,
  lastName: 5,
  firstName: 6,
  otherLastName: 13,
  otherFirstName: 14,
  line1: 28,
  line2: 29,
  city: 30,
  state: 31,
  postalCode: 32,
  country: 33,
  deactivatedOn: 39,
  reactivatedOn: 40,
  taxonomy: 47,
  isPrimary: 50,
} as const;

const PRACTICE = 'Provider Business Practice Location Address';

/** The names of these columns in the header. */
const HEADINGS: Record<keyof typeof AT, string> = {
  npi: 'NPI',
  entityType: 'Entity Type Code',
  lastName: 'Provider Last Name (Legal Name)',
  firstName: 'Provider First Name',
  otherLastName: 'Provider Other Last Name',
  otherFirstName: 'Provider Other First Name',
  line1: 'Provider First Line Business Practice Location Address',
  line2: 'Provider Second Line Business Practice Location Address',
  city: `${PRACTICE} City Name`,
  state: `${PRACTICE} State Name`,
  postalCode: `${PRACTICE} Postal Code`,
  country: `${PRACTICE} Country Code (If outside U.S.)`,
  deactivatedOn: 'NPI Deactivation Date',
  reactivatedOn: 'NPI Reactivation Date',
  taxonomy: 'Healthcare Provider Taxonomy Code_1',
  isPrimary: 'Healthcare Provider Primary Taxonomy Switch_1',
};
const LAST_TAXONOMY = AT.taxonomy + TAXONOMY_STEP * (TAXONOMIES - 1);

/** Expected names of the columns that are read. Tests build headers from it. */
export const EXPECTED: ReadonlyMap<number, string> = new Map([
  ...Object.entries(AT).map(([name, at]) => [at, HEADINGS[name as keyof typeof AT]] as const),
  [LAST_TAXONOMY, `Healthcare Provider Taxonomy Code_${TAXONOMIES}`],
]);

/** @throws OperatorError if the file is not from NPPES, or has other columns */
export function checkHeader(file: string, header: string): void {
  const error = headerErrorOf(splitRow(header.replace(/^\uFEFF/, '')));
  if (error) throw new OperatorError(`${file} is not a readable NPPES file: ${error}`);
}

function headerErrorOf(names: readonly string[] | null): string | null {
  if (!names) return 'its first line is not a row of quoted names';
  if (names.length !== WIDTH) return `its first line has ${names.length} columns, not ${WIDTH}`;
  for (const [at, expected] of EXPECTED) {
    const found = names[at]?.trim() ?? '';
    if (found.toLowerCase() !== expected.toLowerCase()) {
      return `column ${at + 1} is '${found.slice(0, 80)}', not '${expected}'`;
    }
  }
  return null;
}

/**
 * The values of a row; null if it does not begin and end with a quote. All values are quoted and
 * none contains `","`, so splitting is many times faster than a CSV parser.
 */
function splitRow(row: string): string[] | null {
  const isQuoted = row.length > 1 && row.startsWith('"') && row.endsWith('"');
  return isQuoted ? row.slice(1, -1).split('","') : null;
}

/** A bad row. The message is shown to the operator. */
export class RowError extends Error {}

export interface Physician {
  readonly npi: string;
  readonly name: Name;
  readonly otherName: Name;
  readonly taxonomies: readonly string[];
  readonly specialty: string;
  readonly practice: PostalAddress | null;
  readonly reactivatedOn: string | null;
}

interface Name {
  readonly first: string | null;
  readonly last: string | null;
}

/** A row of the file. `other`: an organization, or a person who is not a physician. */
export type RegistryRow =
  | { readonly kind: 'physician'; readonly physician: Physician }
  | { readonly kind: 'deactivated' | 'other'; readonly npi: string };

/** Fields of the file have at most 300 characters (CMS, file layout). */
const TEXT_MAX = 300;

/** @throws RowError */
export function readRow(line: string): RegistryRow {
  if (line.includes('\uFFFD')) throw new RowError('it is not UTF-8 text');
  const fields = splitRow(line);
  if (!fields) throw new RowError('it does not begin and end with a quote');
  if (fields.length !== WIDTH) throw new RowError(`it has ${fields.length} columns, not ${WIDTH}`);
  const npi = fields[AT.npi] ?? '';
  if (!/^[12]\d{9}$/.test(npi)) throw new RowError('its first column is not an NPI');
  switch (fields[AT.entityType]) {
    case '':
      return { kind: 'deactivated', npi };
    case '1':
      return readPerson(npi, fields);
    case '2':
      return { kind: isDeactivated(fields) ? 'deactivated' : 'other', npi };
    default:
      throw new RowError('its entity type is neither 1 nor 2');
  }
}

function readPerson(npi: string, fields: string[]): RegistryRow {
  if (isDeactivated(fields)) return { kind: 'deactivated', npi };
  const { codes, primary } = taxonomiesOf(fields);
  const physicianCodes = codes.filter(isKeptTaxonomy);
  const [first] = physicianCodes;
  if (first === undefined) return { kind: 'other', npi };
  const text = (at: number) => textOf(fields, at);
  const physician: Physician = {
    npi,
    name: { first: text(AT.firstName), last: text(AT.lastName) },
    otherName: { first: text(AT.otherFirstName), last: text(AT.otherLastName) },
    taxonomies: codes,
    // A physician counts as one even if the primary taxonomy is another profession's.
    specialty: primary !== undefined && isKeptTaxonomy(primary) ? primary : first,
    practice: toPostalAddress({
      lines: [text(AT.line1), text(AT.line2)],
      city: text(AT.city),
      state: text(AT.state),
      postalCode: text(AT.postalCode),
      // "Country Code (If outside U.S.)"
      country: text(AT.country) ?? 'US',
    }),
    reactivatedOn: dayOf(fields[AT.reactivatedOn] ?? ''),
  };
  return { kind: 'physician', physician };
}

/** Physicians are kept. Checks at lookup decide whether they pass. */
const isKeptTaxonomy = (code: string): boolean => professionOf([code]) !== 'other';

function taxonomiesOf(fields: string[]) {
  const codes: string[] = [];
  let primary: string | undefined;
  for (let n = 0; n < TAXONOMIES; n += 1) {
    const code = fields[AT.taxonomy + TAXONOMY_STEP * n] ?? '';
    if (!/^[0-9A-Z]{10}$/.test(code)) continue;
    if (!codes.includes(code)) codes.push(code);
    if (fields[AT.isPrimary + TAXONOMY_STEP * n] === 'Y') primary ??= code;
  }
  return { codes, primary };
}

/** Deactivated and not reactivated since. */
function isDeactivated(fields: string[]): boolean {
  const off = dayOf(fields[AT.deactivatedOn] ?? '');
  const on = dayOf(fields[AT.reactivatedOn] ?? '');
  return off !== null && (on === null || on < off);
}

function textOf(fields: string[], at: number): string | null {
  const text = (fields[at] ?? '')
    .replaceAll('""', '"')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (text.length > TEXT_MAX) {
    throw new RowError(`column ${at + 1} is longer than ${TEXT_MAX} characters`);
  }
  // NPPES fills some empty fields with dashes.
  return /^-*$/.test(text) ? null : text;
}

/** Turns `11/22/2026` into `2026-11-22`. @throws RowError */
function dayOf(text: string): string | null {
  if (text === '') return null;
  const day = toDay(text);
  if (day === null) throw new RowError('a date in it is not in the form 11/22/2026');
  return day;
}

/** Null if there is no such day. */
export function toDay(text: string): string | null {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? new Date(iso) : null;
  const isReal = date && !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(iso);
  return isReal ? iso : null;
}

/** Rows of the real file are a few kilobytes. A longer line means that the file is not CSV. */
const LINE_MAX_BYTES = 256 * 1024;
const LF = 10;
const CR = 13;

export interface Line {
  readonly text: string;
  /** Offset of the next line. */
  readonly end: number;
  /** False for the last line of a file that does not end with a line break. */
  readonly isEnded: boolean;
}

/**
 * Splits a stream into lines, yielding those of each chunk together.
 * @throws OperatorError
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[], void> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      lines.push({ text: lineOf(bytes, start, end), end: offset + end + 1, isEnded: true });
      start = end + 1;
    }
    rest = bytes.subarray(start);
    offset += start;
    if (rest.length > LINE_MAX_BYTES) {
      throw new OperatorError('a line of the file is far too long: it is not a CSV file');
    }
    yield lines;
  }
  if (rest.length > 0) {
    const end = offset + rest.length;
    yield [{ text: lineOf(rest, 0, rest.length), end, isEnded: false }];
  }
}

function lineOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end > start && bytes[end - 1] === CR ? end - 1 : end);
}
