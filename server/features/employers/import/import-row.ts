import { BOUND_MAX, OWNERSHIP_NOT_SPECIFIED } from '#contract/employer-choices.ts';
import { formatPhone, isState, isWebsite, isZip } from '#contract/employer-facts.ts';
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
/** Far longer than any value in the file. Longer ones are misplaced. */
const TEXT_MAX = 300;

/** @throws RowError */
export function toHospital(fields: HospitalFields) {
  const type = read(fields, 'TYPE');
  const owner = read(fields, 'OWNER');
  const website = read(fields, 'WEBSITE');
  return {
    source_id: required(fields, 'ID', 50),
    name: required(fields, 'NAME', EMPLOYER_NAME_MAX),
    address: read(fields, 'ADDRESS'),
    city: read(fields, 'CITY'),
    state: toState(fields),
    zip: toZip(fields),
    phone: formatPhone(read(fields, 'TELEPHONE') ?? ''),
    website: website !== null && isWebsite(website) ? website : null,
    specialty: type && (SPECIALTIES.get(type) ?? titleCase(type)),
    ownership_type: owner ? titleCase(owner) : OWNERSHIP_NOT_SPECIFIED,
    bed_count: toCount(fields, 'BEDS'),
    staff_count: toCount(fields, 'TTL_STAFF'),
    trauma_level: adultTraumaLevel(fields.TRAUMA),
    has_helipad: oneOf(fields, 'HELIPAD', HELIPADS),
    hospital_status: oneOf(fields, 'STATUS', STATUSES),
  };
}

/** A column's text, or null if it is unknown. */
function read(fields: HospitalFields, column: Column): string | null {
  const text = fields[column].trim();
  if (/\p{Cc}/u.test(text)) throw new RowError(`${column} has a control character`);
  if (text.length > TEXT_MAX) throw new RowError(`${column} is over ${TEXT_MAX} characters long`);
  return UNKNOWN.has(text) ? null : text;
}

function required(fields: HospitalFields, column: Column, max: number): string {
  const text = read(fields, column);
  if (text === null) throw new RowError(`${column} is empty`);
  if (text.length > max) throw new RowError(`${column} is over ${max} characters long`);
  return text;
}

function toState(fields: HospitalFields): string {
  const state = required(fields, 'STATE', TEXT_MAX);
  if (!isState(state)) throw new RowError(`STATE '${state}' is not a state or territory`);
  return state;
}

function toZip(fields: HospitalFields): string | null {
  const zip = read(fields, 'ZIP');
  if (zip !== null && !isZip(zip)) {
    throw new RowError(`ZIP '${zip}' is not five digits`);
  }
  return zip;
}

function toCount(fields: HospitalFields, column: Column): number | null {
  const text = read(fields, column);
  if (text === null) return null;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > BOUND_MAX) {
    throw new RowError(`${column} '${text}' is not a whole number from 0 to ${BOUND_MAX}`);
  }
  return count;
}

function oneOf<T>(fields: HospitalFields, column: Column, values: Map<string, T>): T | null {
  const text = read(fields, column);
  if (text === null) return null;
  const value = values.get(text);
  if (value === undefined) {
    throw new RowError(`${column} '${text}' is not one of ${[...values.keys()].join(', ')}`);
  }
  return value;
}

function titleCase(text: string): string {
  return text.toLowerCase().replace(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase());
}
