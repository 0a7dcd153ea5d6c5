import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { onClient } from '#server/db/transaction.ts';
import type { Physician, RegistryRow } from './row.ts';

/** How far a file has been read into registry_staging. */
export interface Position {
  /** Offset of the next line in the unpacked file. */
  readonly nextByte: number;
  /** Lines so far, including the header. */
  readonly lines: number;
  readonly skipped: number;
}

interface StagedFile {
  readonly fingerprint: string;
  readonly name: string;
  readonly bytes: number;
}

interface Progress {
  fingerprint: string;
  next_byte: number;
  lines: number;
  skipped: number;
}

/** The position where an earlier run of the file stopped. Otherwise empties the staging table. */
export async function resume(client: pg.PoolClient, file: StagedFile): Promise<Position | null> {
  const { rows } = await client.query<Progress>(
    'select fingerprint, next_byte, lines, skipped from registry_progress',
  );
  const [progress] = rows;
  if (progress?.fingerprint !== file.fingerprint) {
    await onClient(client, () => clearStaging(client));
    return null;
  }
  const { next_byte, lines, skipped } = progress;
  return { nextByte: next_byte, lines, skipped };
}

export async function clearStaging(client: pg.PoolClient): Promise<void> {
  await client.query('truncate registry_staging, registry_progress');
}

/**
 * Adds rows and the new position in one transaction. `position` is called after the last row. A
 * machine crash may lose the last few batches, but never part of one.
 */
export async function stageBatch(
  client: pg.PoolClient,
  file: StagedFile,
  rows: AsyncIterable<string>,
  position: () => Position,
): Promise<void> {
  await onClient(client, async () => {
    await client.query('set local synchronous_commit = off');
    await copyInto(client, `registry_staging (${STAGING_COLUMNS})`, rows);
    const { nextByte, lines, skipped } = position();
    await client.query(
      `insert into registry_progress
        (fingerprint, file_name, total_bytes, next_byte, lines, skipped)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (only_one) do update set
        next_byte = excluded.next_byte, lines = excluded.lines, skipped = excluded.skipped`,
      [file.fingerprint, file.name, file.bytes, nextByte, lines, skipped],
    );
  });
}

export async function copyInto(client: pg.PoolClient, target: string, rows: AsyncIterable<string>) {
  await pipeline(rows, client.query(copyFrom(`copy ${target} from stdin`)));
}

/** The columns of registry_physicians, in COPY's order. */
export const COLUMNS = `npi, deactivated, first_name, middle_name, last_name, suffix,
  other_first_name, other_middle_name, other_last_name, other_suffix, taxonomies, specialty,
  street, city, state, postal_code, reactivated_on`;

const STAGING_COLUMNS = `${COLUMNS}, line, kept`;

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

/** Values contain no tabs or line breaks: control characters have been removed. */
const escaped = (text: string): string => text.replaceAll('\\', '\\\\');
