import { type PostalAddress, professionOf, toPostalAddress } from '../registry.ts';
import { AT, splitRow, TAXONOMIES, TAXONOMY_STEP, WIDTH } from './columns.ts';

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
  readonly middle: string | null;
  readonly last: string | null;
  readonly suffix: string | null;
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
    name: {
      first: text(AT.firstName),
      middle: text(AT.middleName),
      last: text(AT.lastName),
      suffix: text(AT.suffix),
    },
    otherName: {
      first: text(AT.otherFirstName),
      middle: text(AT.otherMiddleName),
      last: text(AT.otherLastName),
      suffix: text(AT.otherSuffix),
    },
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
