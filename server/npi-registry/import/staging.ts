import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Physician, RegistryRow } from './row.ts';

export async function copyInto(client: pg.PoolClient, target: string, rows: AsyncIterable<string>) {
  await pipeline(rows, client.query(copyFrom(`copy ${target} from stdin`)));
}

/** The columns of registry_physicians, in COPY's order. */
export const COLUMNS = `npi, deactivated, first_name, last_name, other_first_name, other_last_name,
  taxonomies, specialty, street, city, state, postal_code, reactivated_on`;

/** The table of the rows of a file, and its columns. */
export const STAGING = `registry_staging (${COLUMNS}, line, kept)`;

/**
 * Creates the staging table of this session. A row that is not `kept` says that its number does not,
 * or no longer, belong to a physician.
 */
export async function createStaging(client: pg.PoolClient): Promise<void> {
  await client.query(`create temp table registry_staging (
    like registry_physicians including defaults, line integer not null, kept boolean not null)`);
}

type Value = string | null | readonly string[];

/** A row of registry_staging in the text format of COPY. */
export function stagingLine(row: RegistryRow, line: number): string {
  return row.kind === 'physician'
    ? lineOf([...physicianValues(row.physician), `${line}`, 't'])
    : lineOf([...numberAlone(row.npi, row.kind === 'deactivated'), `${line}`, kept(row)]);
}

const kept = ({ kind }: RegistryRow) => (kind === 'deactivated' ? 't' : 'f');

function numberAlone(npi: string, deactivated: boolean): Value[] {
  const names = Array<null>(4).fill(null);
  return [npi, deactivated ? 't' : 'f', ...names, [], null, null, null, null, null, null];
}

function physicianValues({ npi, name, otherName, practice, ...rest }: Physician): Value[] {
  return [
    npi,
    'f',
    ...[name.first, name.last, otherName.first, otherName.last],
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

/** Values contain no tabs or line breaks: control characters have been removed. */
const escaped = (text: string): string => text.replaceAll('\\', '\\\\');
