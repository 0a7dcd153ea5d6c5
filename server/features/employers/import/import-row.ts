import { BOUND_MAX, OWNERSHIP_NOT_SPECIFIED } from '#contract/employer-choices.ts';
import { formatPhone, isWebsite, isZip } from '#contract/employer-facts.ts';
import { isState } from '#contract/employer-place.ts';
import { EMPLOYER_NAME_MAX } from '#contract/limits.ts';
import { adultTraumaLevel } from './import-trauma.ts';

/** The columns that are read. The file has 34. */
export const READ_COLUMNS = [
  'ID',
  'NAME',
  'ADDRESS',
  'CITY',
  'STATE',
  'ZIP',
  'TELEPHONE',
  'TYPE',
  'STATUS',
  'WEBSITE',
  'OWNER',
  'TTL_STAFF',
  'BEDS',
  'TRAUMA',
  'HELIPAD',
] as const;
type Column = (typeof READ_COLUMNS)[number];
export type HospitalFields = Record<Column, string>;

/** A row of the file, with the columns of `employers`. */
export type Hospital = ReturnType<typeof toHospital>;

/** An error in a row. The message is for the terminal. */
export class RowError extends Error {}

/**
 * Reports a value that was not as the file spells it: `repaired`, or `unknown` and stored as null.
 */
export type Note = (column: Column, text: string, outcome: 'repaired' | 'unknown') => void;

/** Types that are not simply converted to title case. */
const SPECIALTIES = new Map([
  ['CHILDREN', "Children's"],
  ['LONG TERM CARE', 'Long-Term Care'],
  ['SPECIAL', 'Specialty'],
  ['WOMEN', "Women's"],
]);
const STATUSES = new Map([
  ['OPEN', 'Open'],
  ['CLOSED', 'Closed'],
]);
const HELIPADS = new Map([
  ['Y', true],
  ['N', false],
]);

/** The file's values for unknown. */
const UNKNOWN: ReadonlySet<string> = new Set(['', 'NOT AVAILABLE', '-999']);
/** What other programs make of them when they save the file. */
const SAVED_UNKNOWN = /^(?:nan|null|none|n\/?a|<na>|not available|-999\.0+)$/i;
/** Far longer than any value in the file. Longer ones are misplaced. */
const TEXT_MAX = 300;
/** The digits of every ID in the file. Spreadsheets cut leading zeros. */
const ID_DIGITS = 10;
const ID_MAX = 50;

/**
 * Only ID, NAME, and STATE can make a row unusable. Any other value that makes no sense is unknown.
 * @throws RowError
 */
export function toHospital(fields: HospitalFields, note: Note) {
  const type = read(fields, 'TYPE', note);
  const owner = read(fields, 'OWNER', note);
  return {
    source_id: toId(fields, note),
    name: required(fields, 'NAME', EMPLOYER_NAME_MAX),
    address: read(fields, 'ADDRESS', note),
    city: read(fields, 'CITY', note),
    state: toState(fields, note),
    zip: convert(fields, 'ZIP', note, toZip),
    phone: convert(fields, 'TELEPHONE', note, (text) => [formatPhone(text)]),
    website: convert(fields, 'WEBSITE', note, (text) => [isWebsite(text) ? text : null]),
    specialty: type && (SPECIALTIES.get(type.toUpperCase()) ?? titleCase(type)),
    ownership_type: owner ? titleCase(owner) : OWNERSHIP_NOT_SPECIFIED,
    bed_count: convert(fields, 'BEDS', note, toCount),
    staff_count: convert(fields, 'TTL_STAFF', note, toCount),
    trauma_level: adultTraumaLevel(fields.TRAUMA),
    has_helipad: convert(fields, 'HELIPAD', note, oneOf(HELIPADS)),
    hospital_status: convert(fields, 'STATUS', note, oneOf(STATUSES)),
  };
}

/** The text of an optional column, or null if it is unknown. */
function read(fields: HospitalFields, column: Column, note: Note): string | null {
  const given = fields[column].trim();
  if (UNKNOWN.has(given)) return null;
  const text = given.replace(/\p{Cc}+/gu, ' ').trim();
  if (text === '' || text.length > TEXT_MAX || SAVED_UNKNOWN.test(text)) {
    note(column, given, 'unknown');
    return null;
  }
  if (text !== given) note(column, given, 'repaired');
  return text;
}

/** A value, and the text that the file has for it, if it is not the one given. */
type Converted<T> = [value: T | null, spelling?: string];

function convert<T>(
  fields: HospitalFields,
  column: Column,
  note: Note,
  toValue: (text: string) => Converted<T>,
): T | null {
  const text = read(fields, column, note);
  if (text === null) return null;
  const [value, spelling = text] = toValue(text);
  if (value === null) note(column, text, 'unknown');
  else if (spelling !== text) note(column, text, 'repaired');
  return value;
}

function required(fields: HospitalFields, column: Column, max: number): string {
  const text = fields[column].trim();
  if (UNKNOWN.has(text)) throw new RowError(`${column} is empty`);
  if (/\p{Cc}/u.test(text)) throw new RowError(`${column} has a control character`);
  if (text.length > max) throw new RowError(`${column} is over ${max} characters long`);
  return text;
}

function toId(fields: HospitalFields, note: Note): string {
  const text = required(fields, 'ID', ID_MAX);
  const id = wholeNumber(text)?.padStart(ID_DIGITS, '0') ?? text;
  if (id !== text) note('ID', text, 'repaired');
  return id;
}

function toState(fields: HospitalFields, note: Note): string {
  const text = required(fields, 'STATE', TEXT_MAX);
  const state = text.toUpperCase();
  if (!isState(state)) throw new RowError(`STATE '${text}' is not a state or territory`);
  if (state !== text) note('STATE', text, 'repaired');
  return state;
}

/** ZIP codes and ZIP+4, without up to two leading zeros. */
const ZIP_LENGTHS = [3, 4, 5, 7, 8, 9];

/** Pads 3820 to 03820, and 38201234 to 03820-1234. */
function toZip(text: string): Converted<string> {
  if (isZip(text)) return [text];
  const digits = /^(\d{3,4})-(\d{4})$/.exec(text)?.slice(1).join('') ?? wholeNumber(text) ?? '';
  const zip =
    digits.length <= 5
      ? digits.padStart(5, '0')
      : digits.padStart(9, '0').replace(/(?=\d{4}$)/, '-');
  return ZIP_LENGTHS.includes(digits.length) ? [zip, zip] : [null];
}

function toCount(text: string): Converted<number> {
  const isGrouped = /^\d{1,3}(?:,\d{3})+$/.test(text);
  const digits = wholeNumber(isGrouped ? text.replaceAll(',', '') : text);
  return digits !== undefined && Number(digits) <= BOUND_MAX ? [Number(digits), digits] : [null];
}

/** The digits of 25 or 25.0. */
const wholeNumber = (text: string) => /^(\d+)(?:\.0*)?$/.exec(text)?.[1];

const oneOf =
  <T>(values: Map<string, T>) =>
  (text: string): Converted<T> => {
    const spelling = text.toUpperCase();
    return [values.get(spelling) ?? null, spelling];
  };

function titleCase(text: string): string {
  return text.toLowerCase().replace(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase());
}
