import { OWNERSHIP_NOT_SPECIFIED } from '#contract/employer-choices.ts';
import { isWebsite } from '#contract/employer-facts.ts';
import { EMPLOYER_NAME_MAX } from '#contract/limits.ts';
import { adultTraumaLevel } from './import-trauma.ts';
import {
  convert,
  type Fields,
  type Note,
  oneOf,
  read,
  required,
  titleCase,
  toCount,
  toId,
  toPhone,
  toState,
  toZip,
} from './import-values.ts';

/** The columns of the HIFLD file that are read, of 34. */
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

/** The digits of every ID in the file. */
const ID_DIGITS = 10;

/**
 * A row of the file, with the columns of `employers`. Only ID, NAME, and STATE can make a row unusable. Any other value that makes no sense is unknown.
 * @throws RowError
 */
export function toHospital(fields: Fields, note: Note) {
  const type = read(fields, 'TYPE', note);
  const owner = read(fields, 'OWNER', note);
  return {
    source_id: toId(fields, 'ID', ID_DIGITS, note),
    name: required(fields, 'NAME', EMPLOYER_NAME_MAX),
    alt_name: read(fields, 'ALT_NAME', note),
    address: read(fields, 'ADDRESS', note),
    city: read(fields, 'CITY', note),
    state: toState(fields, 'STATE', note),
    zip: convert(fields, 'ZIP', note, toZip),
    phone: convert(fields, 'TELEPHONE', note, toPhone),
    website: convert(fields, 'WEBSITE', note, (text) => [isWebsite(text) ? text : null]),
    specialty: type && (SPECIALTIES.get(type.toUpperCase()) ?? titleCase(type)),
    ownership_type: owner ? titleCase(owner) : OWNERSHIP_NOT_SPECIFIED,
    bed_count: convert(fields, 'BEDS', note, toCount),
    staff_count: convert(fields, 'TTL_STAFF', note, toCount),
    trauma_level: adultTraumaLevel(fields['TRAUMA'] ?? ''),
    has_helipad: convert(fields, 'HELIPAD', note, oneOf(HELIPADS)),
    hospital_status: convert(fields, 'STATUS', note, oneOf(STATUSES)),
  };
}
