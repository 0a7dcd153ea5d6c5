import type { EmployerSource } from '#contract/employer-sources.ts';
import { toCmsHospital, toCostReport, toProviderOfServices } from './cms.ts';
import { READ_COLUMNS, toHospital } from './import-row.ts';
import type { Fields, Note } from './import-values.ts';
import { type Identity, keysOf } from './match-keys.ts';
import { readableName } from './readable-name.ts';

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
    optional: same('ALT_NAME'),
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
