import {
  OWNERSHIP_NOT_SPECIFIED,
  type TRAUMA_LEVELS,
} from '#contract/employers/employer-choices.ts';
import { isWebsite } from '#contract/employers/employer-facts.ts';
import type { EmployerSource } from '#contract/employers/employer-sources.ts';
import { EMPLOYER_NAME_MAX } from '#contract/limits.ts';
import { toCmsHospital, toCostReport, toProviderOfServices } from './cms.ts';
import type { Fields, Note } from './import-values.ts';
import {
  convert,
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
import { type Identity, keysOf } from './match-keys.ts';

type TraumaLevel = (typeof TRAUMA_LEVELS)[number];

const ADULT = /^LEVEL (I|II|III|IV|V)(?: ADULT)?$/;
const RANKED: readonly string[] = ['I', 'II', 'III', 'IV', 'V'];

/**
 * The best adult trauma level in the file's TRAUMA column, which has 31 spellings. It is a list,
 * separated by commas or slashes. Only plain or adult levels count, and the best (lowest) one is
 * taken. Ignored are levels for children (`LEVEL I PEDIATRIC`) or rehabilitation (`LEVEL II
 * REHAB`), and state designations without a level (`TRH`, `TRF`, `CTH`, `ATH`, `RTC`, `RTH`,
 * `PARC`, `REGIONAL`, `PEDIATRIC`, or `I-RPTC`, a regional pediatric trauma center).
 */
export function adultTraumaLevel(text: string): TraumaLevel | null {
  const ranks = text
    .toUpperCase()
    .split(/[,/]/)
    .flatMap((entry) => ADULT.exec(entry.trim())?.[1] ?? [])
    .map((numeral) => RANKED.indexOf(numeral));
  return ranks.length === 0 ? null : (`Level ${RANKED[Math.min(...ranks)]}` as TraumaLevel);
}

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

const ID = { length: 10, shape: /^[\w-]{1,20}$/ };

/** When each row of the HIFLD file was last checked. */
export const DATE_COLUMNS = ['SOURCEDATE', 'VAL_DATE'] as const;

/**
 * A row of the file, with the columns of `employers`. Only ID, NAME, and STATE can make a row unusable. Any other value that makes no sense is unknown.
 * @throws RowError
 */
export function toHospital(fields: Fields, note: Note) {
  const type = read(fields, 'TYPE', note);
  const owner = read(fields, 'OWNER', note);
  return {
    source_id: toId(fields, 'ID', ID, note),
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

/** Abbreviations in names of files that leave no doubt, with their dots. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['CTR', 'CENTER'],
  ['CNTR', 'CENTER'],
  ['HOSP', 'HOSPITAL'],
  ['HSPTL', 'HOSPITAL'],
  ['UNIV', 'UNIVERSITY'],
  ['HLTH', 'HEALTH'],
  ['HLTHCARE', 'HEALTHCARE'],
  ['REHAB', 'REHABILITATION'],
  ['MEM', 'MEMORIAL'],
  ['MEML', 'MEMORIAL'],
  ['RGNL', 'REGIONAL'],
  ['CMNTY', 'COMMUNITY'],
  ['PSYCH', 'PSYCHIATRIC'],
  ['SVCS', 'SERVICES'],
]);
/** Short for another word elsewhere, such as in 'MED ONE' and 'GEN V'. */
const BEFORE_A_KIND: ReadonlyMap<string, string> = new Map([
  ['MED', 'MEDICAL'],
  ['GEN', 'GENERAL'],
  ['COMM', 'COMMUNITY'],
  ['REG', 'REGIONAL'],
]);
const KIND = /^(?:CENTERS?|CTR|CNTR|HOSP|HOSPITALS?|HSPTL|MED|MEDICAL|HEALTH|HLTH)\b/i;

/**
 * A name in a file as people write it: 'BOSTON MED CTR CORP' is Boston Medical Center Corp, and
 * 'JOHNS HOPKINS HOSPITAL, THE' begins with 'The'. Its capitals are those of the file.
 */
export function readableName(name: string): string {
  const ordered = name.replace(/^(.+), (THE)$/i, '$2 $1');
  return ordered.replace(/(?<![\p{L}'&])(\p{L}+)\b\.?/gu, (given, word: string, at: number) => {
    const upper = word.toUpperCase();
    const isShort = KIND.test(ordered.slice(at + given.length).trimStart());
    const full = WORDS.get(upper) ?? (isShort ? BEFORE_A_KIND.get(upper) : undefined);
    if (full === undefined) return given;
    return word === upper ? full : `${full[0]}${full.slice(1).toLowerCase()}`;
  });
}

/** What a source says about an employer. Unknown facts are null. */
export interface Facts extends Identity {
  readonly specialty?: string | null;
  readonly ownership_type?: string | null;
  readonly [fact: string]: string | number | boolean | null | undefined;
}

/** A row of a file, ready to be stored. */
export interface Listed {
  /** The identifier of the employer. */
  readonly value: string;
  /** Of two rows with the same identifier, the heavier one counts. Equal ones are an error. */
  readonly weight: number;
  /** Whether the row adds an employer that is not known yet. */
  readonly creates: boolean;
  readonly facts: Facts;
  /** Of `keysOf`. */
  readonly keys: readonly string[];
}

interface Row extends Facts {
  readonly source_id: string;
  readonly weight?: number;
  readonly creates?: boolean;
}

export interface Source {
  readonly id: EmployerSource;
  readonly scheme: 'ccn' | 'hifld';
  /** Each column that is read, with its names in the files of other years. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Columns that only some files have. */
  readonly optional: Readonly<Record<string, readonly string[]>>;
  /** Whether the file lists all employers that exist, so that one that is missing is gone. */
  readonly isComplete: boolean;
  /** Whether the file may be in Windows' Western encoding instead of UTF-8. */
  readonly mayBeWestern: boolean;
  /** Null for a row that is no employer. @throws RowError */
  toRow(fields: Fields, note: Note): Row | null;
}

const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, []]));

/** The files that can be imported, by their headers. */
export const SOURCES: readonly Source[] = [
  {
    id: 'cms',
    scheme: 'ccn',
    columns: {
      'Facility ID': ['Provider ID', 'provider_id', 'facility_id'],
      'Facility Name': ['Hospital Name', 'hospital_name', 'facility_name'],
      Address: ['address'],
      City: ['City/Town', 'citytown', 'city'],
      State: ['state'],
      'ZIP Code': ['zip_code'],
      'Phone Number': ['Telephone Number', 'phone_number', 'telephone_number'],
      'Hospital Type': ['hospital_type'],
      'Hospital Ownership': ['hospital_ownership'],
      'Emergency Services': ['emergency_services'],
      'Hospital overall rating': ['hospital_overall_rating'],
    },
    optional: {},
    isComplete: true,
    mayBeWestern: true,
    toRow: toCmsHospital,
  },
  {
    id: 'cost_report',
    scheme: 'ccn',
    columns: {
      ...same('Provider CCN', 'Hospital Name', 'Street Address', 'City', 'State Code', 'Zip Code'),
      ...same('CCN Facility Type', 'Fiscal Year Begin Date', 'Fiscal Year End Date'),
      ...same('FTE - Employees on Payroll', 'Number of Interns and Residents (FTE)'),
      ...same('Number of Beds'),
    },
    optional: {},
    isComplete: false,
    mayBeWestern: true,
    toRow: toCostReport,
  },
  {
    id: 'pos',
    scheme: 'ccn',
    columns: {
      PRVDR_NUM: ['prvdr_num'],
      PRVDR_CTGRY_CD: ['prvdr_ctgry_cd'],
      BED_CNT: ['bed_cnt'],
      MDCL_SCHL_AFLTN_CD: ['mdcl_schl_afltn_cd'],
    },
    optional: {
      PGM_TRMNTN_CD: ['pgm_trmntn_cd'],
      SKLTN_REC_SW: ['skltn_rec_sw'],
      FAC_NAME: ['fac_name'],
      ST_ADR: ['st_adr'],
      CITY_NAME: ['city_name'],
      STATE_CD: ['state_cd'],
      ZIP_CD: ['zip_cd'],
      PHNE_NUM: ['phne_num'],
    },
    isComplete: false,
    mayBeWestern: true,
    toRow: toProviderOfServices,
  },
  {
    id: 'hifld',
    scheme: 'hifld',
    columns: same(...READ_COLUMNS),
    optional: same('ALT_NAME', ...DATE_COLUMNS),
    isComplete: true,
    mayBeWestern: false,
    toRow: toHospital,
  },
];

export const schemeOf = (id: EmployerSource) =>
  SOURCES.find((source) => source.id === id)?.scheme ?? 'ccn';

/** @throws RowError */
export function toListed({ toRow }: Source, fields: Fields, note: Note): Listed | null {
  const row = toRow(fields, note);
  if (!row) return null;
  const { source_id: value, weight = 0, creates = true, name: given, ...others } = row;
  const name = given && readableName(given);
  const source_name = name === given ? null : given;
  // Without nulls, so that a record of a file is compared with one that lacks the column.
  const facts: Facts = Object.fromEntries(
    Object.entries({ name, source_name, ...others }).filter(([, fact]) => fact !== null),
  );
  return { value, weight, creates, facts, keys: keysOf(facts) };
}
