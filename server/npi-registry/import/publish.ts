import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { onClient } from '#server/db/transaction.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
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

/** How a file turns the current registry into the next one. */
interface Publication {
  /** A query for the rows of the next registry. */
  readonly rows: string;
  readonly file: ImportedFile;
  /** Whether files imported earlier no longer count. */
  readonly replacesAll: boolean;
  /** @throws if the next registry must not replace the current one */
  check(next: RegistrySize, present: RegistrySize): void;
}

interface ImportedFile {
  readonly name: string;
  readonly kind: 'full' | 'update' | 'deactivations';
  readonly asOf: string | null;
  readonly importedOn: string;
  readonly lines: number;
  readonly skipped: number;
}

export interface RegistrySize {
  readonly physicians: number;
  readonly deactivated: number;
}

/**
 * Builds the next registry next to the current one and swaps them in one step. Lookups during the
 * import use one or the other.
 */
export async function publish(
  client: pg.PoolClient,
  { rows, file, replacesAll, check }: Publication,
): Promise<RegistrySize> {
  await onClient(client, async () => {
    // Vacuum can freeze (below) only rows whose commit is on disk.
    await client.query('set local synchronous_commit = on');
    await client.query('drop table if exists registry_next');
    await client.query('create table registry_next (like registry_physicians including defaults)');
    await client.query(`insert into registry_next (${COLUMNS}) ${rows}`);
    await client.query(
      'alter table registry_next add constraint registry_next_pkey primary key (npi)',
    );
  });
  // The first read of a new row sets its hint bits, on disk too. Freezing sets them for all rows
  // now, so the table does not show which numbers were looked up.
  await client.query('vacuum (freeze, analyze) registry_next');
  const size = await sizeOf(client, 'registry_next');
  check(size, await sizeOf(client, 'registry_physicians'));
  await onClient(client, async () => {
    await client.query('delete from physician_counts');
    await client.query(
      `insert into physician_counts (state, city, specialty, physicians)
       select state, upper(city), specialty, count(*) from registry_next
       where state is not null and specialty is not null group by 1, 2, 3`,
    );
    if (replacesAll) await client.query('delete from registry_files');
    await client.query(
      `insert into registry_files (file_name, kind, as_of, imported_on, lines, skipped)
       values ($1, $2, $3, $4, $5, $6)`,
      [file.name, file.kind, file.asOf, file.importedOn, file.lines, file.skipped],
    );
    await client.query('drop table registry_physicians');
    await client.query('alter table registry_next rename to registry_physicians');
    await client.query('alter index registry_next_pkey rename to registry_physicians_pkey');
  });
  return size;
}

async function sizeOf(client: pg.PoolClient, table: string): Promise<RegistrySize> {
  const { rows } = await client.query<RegistrySize>(
    `select count(*) filter (where not deactivated) as physicians,
       count(*) filter (where deactivated) as deactivated from ${table}`,
  );
  const [size] = rows;
  if (!size) throw new Error('an aggregate returns one row');
  return size;
}

/** A full file replaces the registry; an update replaces only the numbers in it. */
export type FileKind = 'full' | 'update';

interface Coverage {
  readonly kind: FileKind;
  /** The days that the file covers; null if its name does not say. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Full files begin on the day when the first NPIs were issued. */
const FIRST_DAY = '2005-05-23';

/**
 * Reads what a file covers from its name, in CMS's format: `npidata_pfile_20050523-20261108.csv` is
 * full, `npidata_pfile_20261109-20261115.csv` an update.
 * @throws OperatorError if neither the name nor `kind` says so
 */
export function coverageOf(name: string, kind?: FileKind): Coverage {
  const [, start, end] = /^npidata_pfile_(\d{8})-(\d{8})\.csv$/i.exec(name) ?? [];
  const [from, to] = [toIso(start), toIso(end)];
  if (kind) return { kind, from, to };
  if (from && to) return { kind: from === FIRST_DAY ? 'full' : 'update', from, to };
  throw new OperatorError(
    `${name} is not named npidata_pfile_FROM-TO.csv: add --full, or --update for a weekly file`,
  );
}

function toIso(digits: string | undefined): string | null {
  return digits?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') ?? null;
}

/** If a file contains a number twice, the later line counts. */
const LATEST = `select distinct on (npi) ${COLUMNS}, kept from registry_staging
  order by npi, line desc`;

/** Only the rows of the file. */
export const fullRows = `select ${COLUMNS} from (${LATEST}) as latest where kept order by npi`;

/** The rows of the file, plus those of the current registry that are not in it. */
export const updateRows = `select ${COLUMNS} from (
    select ${COLUMNS} from (${LATEST}) as latest where kept
    union all
    select ${COLUMNS} from registry_physicians as present where not exists (
      select from registry_staging as staged where staged.npi = present.npi)
  ) as merged order by npi`;

/** Rejects a truncated or wrong file, which would make members' NPIs unknown. @throws OperatorError */
export function refuseShrinking(next: RegistrySize, present: RegistrySize): void {
  if (next.physicians === 0)
    throw new OperatorError('the file has no physicians: nothing was changed');
  if (next.physicians * 2 >= present.physicians) return;
  throw new OperatorError(
    `the file has ${next.physicians} physicians, and the registry ${present.physicians}: nothing ` +
      'was changed. If the file is right, run `curbside registry forget` first',
  );
}

/** @throws OperatorError if there is no registry to update, or the update is too old */
export async function checkCoverage(
  client: pg.PoolClient,
  { from, to }: Coverage,
  onNotice: (text: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ files: number; as_of: string | null }>(
    `select count(*) as files, max(as_of)::text as as_of from registry_files
     where kind <> 'deactivations'`,
  );
  const { files = 0, as_of = null } = rows[0] ?? {};
  if (files === 0) {
    throw new OperatorError('there is no registry to update: import the full monthly file first');
  }
  if (as_of === null || from === null || to === null) return;
  if (to < as_of) {
    throw new OperatorError(`the update ends on ${to}, but the registry is already at ${as_of}`);
  }
  const next = new Date(as_of);
  next.setUTCDate(next.getUTCDate() + 1);
  if (new Date(from) > next) {
    onNotice(
      `no file covers the days between ${as_of} and ${from}: import the one that does, or a full file`,
    );
  }
}
