import { EMPLOYER_NAME_MAX } from '#contract/limits.ts';
import {
  convert,
  type Fields,
  type Note,
  oneOf,
  RowError,
  read,
  required,
  toCount,
  toId,
  toPeople,
  toPhone,
  toState,
  toZip,
} from './import-values.ts';

/** CMS certification numbers: six characters, some of them letters. */
const CCN = { length: 6, shape: /^(?=.*\d)[0-9A-Z]{6}$/ };

/** What each source calls a kind of hospital, as the HIFLD file names it where both know it. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['Acute Care Hospitals', 'General Acute Care'],
  ['Critical Access Hospitals', 'Critical Access'],
  ['Childrens', "Children's"],
  ['Psychiatric', 'Psychiatric'],
  ['Rehabilitation', 'Rehabilitation'],
  ['Long-term', 'Long-Term Care'],
  ['Rural Emergency Hospital', 'Rural Emergency Hospital'],
  ['Acute Care - Veterans Administration', 'Veterans Affairs'],
  ['Acute Care - Department of Defense', 'Military'],
]);

/** Owners as CMS names them, and as every source's are shown. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['Voluntary non-profit - Private', 'Non-Profit'],
  ['Voluntary non-profit - Church', 'Non-Profit - Church'],
  ['Voluntary non-profit - Other', 'Non-Profit - Other'],
  ['Proprietary', 'Proprietary'],
  ['Physician', 'Physician'],
  ['Government', 'Government'],
  ['Government - Local', 'Government - Local'],
  ['Government - State', 'Government - State'],
  ['Government - Federal', 'Government - Federal'],
  ['Government - Hospital District or Authority', 'Government - District/Authority'],
  ['Veterans Health Administration', 'Government - Veterans Affairs'],
  ['Department of Defense', 'Government - Department of Defense'],
  ['Tribal', 'Tribal'],
]);

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ...['YES', 'Yes', 'Y', 'TRUE', 'true'].map((text) => [text, true] as const),
  ...['NO', 'No', 'N', 'FALSE', 'false'].map((text) => [text, false] as const),
]);
const STARS: ReadonlyMap<string, number> = new Map([1, 2, 3, 4, 5].map((n) => [`${n}`, n]));

/** A kind or an owner that is not in the list is kept as given, and reported. */
function named(names: ReadonlyMap<string, string>, fields: Fields, column: string, note: Note) {
  const text = read(fields, column, note);
  if (text === null) return null;
  const name = names.get(text);
  if (name === undefined) note(column, text, 'unknown');
  return name ?? text;
}

/** Hospital General Information (data.cms.gov/provider-data, xubh-q36u). @throws RowError */
export function toCmsHospital(fields: Fields, note: Note) {
  return {
    source_id: toId(fields, 'Facility ID', CCN, note),
    name: required(fields, 'Facility Name', EMPLOYER_NAME_MAX),
    address: read(fields, 'Address', note),
    city: read(fields, 'City', note),
    state: toState(fields, 'State', note),
    zip: convert(fields, 'ZIP Code', note, toZip),
    phone: convert(fields, 'Phone Number', note, toPhone),
    specialty: named(KINDS, fields, 'Hospital Type', note),
    ownership_type: named(OWNERS, fields, 'Hospital Ownership', note),
    hospital_status: 'Open',
    has_emergency: convert(fields, 'Emergency Services', note, oneOf(YES_OR_NO)),
    cms_stars: convert(fields, 'Hospital overall rating', note, oneOf(STARS)),
  };
}

/** Kinds of hospitals in cost reports. */
const REPORTED_KINDS: ReadonlyMap<string, string> = new Map([
  ['STH', 'General Acute Care'],
  ['CAH', 'Critical Access'],
  ['PH', 'Psychiatric'],
  ['CH', "Children's"],
  ['LTCH', 'Long-Term Care'],
  ['RH', 'Rehabilitation'],
]);
/** Those that Hospital General Information lacks. */
const ADDED_KINDS = new Set(['LTCH', 'RH']);

/** Hospital Provider Cost Report (data.cms.gov). @throws RowError */
export function toCostReport(fields: Fields, note: Note) {
  const type = (fields['CCN Facility Type'] ?? '').trim();
  const days =
    Date.parse(fields['Fiscal Year End Date'] ?? '') -
    Date.parse(fields['Fiscal Year Begin Date'] ?? '');
  return {
    source_id: toId(fields, 'Provider CCN', CCN, note),
    name: required(fields, 'Hospital Name', EMPLOYER_NAME_MAX),
    address: read(fields, 'Street Address', note),
    city: read(fields, 'City', note),
    state: toState(fields, 'State Code', note),
    zip: convert(fields, 'Zip Code', note, toZip),
    specialty: REPORTED_KINDS.get(type) ?? null,
    bed_count: convert(fields, 'Number of Beds', note, toCount),
    staff_count: convert(fields, 'FTE - Employees on Payroll', note, toPeople),
    resident_count: convert(fields, 'Number of Interns and Residents (FTE)', note, toPeople),
    // Of several reports of a year, the longest counts.
    weight: Number.isNaN(days) ? 0 : Math.round(days / 86_400_000),
    creates: ADDED_KINDS.has(type),
  };
}

const SCHOOLS: ReadonlyMap<string, string | null> = new Map([
  ['1', 'Major'],
  ['2', 'Limited'],
  ['3', 'Graduate'],
  ['4', null],
]);
/** The category of hospitals among all providers. */
const HOSPITALS = '1';
/** Spreadsheets make 0 of 00. */
const ACTIVE = /^00?$/;

const code = (text: string | undefined) =>
  (text ?? '')
    .trim()
    .replace(/\.0$/, '')
    .replace(/^0+(?=\d)/, '');

/**
 * Provider of Services (data.cms.gov, "Provider of Services File - Hospital"). Null for a row that is
 * no hospital. Only the full file has names, and says which providers have ended.
 * @throws RowError
 */
export function toProviderOfServices(fields: Fields, note: Note) {
  if (code(fields['PRVDR_CTGRY_CD']) !== HOSPITALS || fields['SKLTN_REC_SW'] === 'Y') return null;
  const termination = (fields['PGM_TRMNTN_CD'] ?? '').trim();
  const isActive = ACTIVE.test(termination);
  const name = read(fields, 'FAC_NAME', note);
  const state = read(fields, 'STATE_CD', note);
  if (name !== null && name.length > EMPLOYER_NAME_MAX) throw new RowError('FAC_NAME is too long');
  return {
    source_id: toId(fields, 'PRVDR_NUM', CCN, note),
    name,
    address: read(fields, 'ST_ADR', note),
    city: read(fields, 'CITY_NAME', note),
    state: state === null ? null : toState(fields, 'STATE_CD', note),
    zip: convert(fields, 'ZIP_CD', note, toZip),
    phone: convert(fields, 'PHNE_NUM', note, toPhone),
    bed_count: convert(fields, 'BED_CNT', note, toCount),
    medical_school: SCHOOLS.get(code(fields['MDCL_SCHL_AFLTN_CD'])) ?? null,
    hospital_status: termination !== '' && !isActive ? 'Closed' : null,
    creates: isActive && name !== null && state !== null,
  };
}
