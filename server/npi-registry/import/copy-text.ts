import type { Physician, RegistryRow } from './row.ts';

/** The columns of registry_physicians, in the order of COPY. */
export const COLUMNS = `npi, deactivated, first_name, middle_name, last_name, suffix,
  other_first_name, other_middle_name, other_last_name, other_suffix, taxonomies, specialty,
  street, city, state, postal_code, reactivated_on`;

export const STAGING_COLUMNS = `${COLUMNS}, line, kept`;

type Value = string | null | readonly string[];

/** A row of registry_staging in the text format of COPY. */
export function stagingLine(row: RegistryRow, line: number): string {
  return row.kind === 'physician'
    ? lineOf([...physicianValues(row.physician), `${line}`, 't'])
    : lineOf([...numberAlone(row.npi, row.kind === 'deactivated'), `${line}`, kept(row)]);
}

const kept = ({ kind }: RegistryRow) => (kind === 'deactivated' ? 't' : 'f');

function numberAlone(npi: string, deactivated: boolean): Value[] {
  const names = Array<null>(8).fill(null);
  return [npi, deactivated ? 't' : 'f', ...names, [], null, null, null, null, null, null];
}

function physicianValues({ npi, name, otherName, practice, ...rest }: Physician): Value[] {
  return [
    npi,
    'f',
    ...[name.first, name.middle, name.last, name.suffix],
    ...[otherName.first, otherName.middle, otherName.last, otherName.suffix],
    rest.taxonomies,
    rest.specialty,
    practice?.lines ?? null,
    practice?.city ?? null,
    practice?.state ?? null,
    practice?.postal_code ?? null,
    rest.reactivatedOn,
  ];
}

/** PostgreSQL, COPY, "Text Format". */
export const lineOf = (values: readonly Value[]): string => `${values.map(toText).join('\t')}\n`;

function toText(value: Value): string {
  if (value === null) return '\\N';
  return escaped(typeof value === 'string' ? value : arrayOf(value));
}

/** PostgreSQL, "Array Input and Output Syntax". */
function arrayOf(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Values contain no tabs or line breaks: control characters were removed before. */
const escaped = (text: string): string => text.replaceAll('\\', '\\\\');
