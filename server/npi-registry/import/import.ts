import type pg from 'pg';
import { type Clock, toDay as dayOf } from '#server/anonymity/coarse-time.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import {
  COLUMNS,
  checkCoverage,
  copyInto,
  coverageOf,
  createStaging,
  type FileKind,
  fullRows,
  lineOf,
  publish,
  type RegistrySize,
  refuseShrinking,
  STAGING,
  stagingLine,
  updateRows,
} from './publish.ts';
import {
  checkHeader,
  type Line,
  type RegistryRow,
  RowError,
  readLines,
  readRow,
  toDay,
} from './row.ts';
import { inRegistrySession } from './session.ts';
import { type Source, withSource } from './source.ts';

/** A file with more bad rows than this, and more than 1% bad rows, is damaged or the wrong file. */
const BAD_ROWS = 1000;

interface ReadOptions {
  /** Whether to stage numbers of other professions as well, so they get removed. */
  readonly keepsOthers: boolean;
  onProgress(bytes: number, total: number): void;
  onSkip(line: number, reason: string): void;
  /** Stops the import. */
  readonly signal: AbortSignal;
}

/** What has been read of a file. */
interface Read {
  /** Lines so far, including the header. */
  readonly lines: number;
  readonly skipped: number;
}

/**
 * Reads the file into a staging table, which ends with the session. Null if stopped.
 * @throws OperatorError
 */
async function readFile(
  client: pg.PoolClient,
  path: string,
  source: Source,
  { keepsOthers, onProgress, onSkip, signal }: ReadOptions,
): Promise<Read | null> {
  const read = { lines: 0, skipped: 0 };
  const isStaged = ({ kind }: RegistryRow) => kind !== 'other' || keepsOthers;

  const take = (line: Line): string => {
    read.lines += 1;
    const isHeader = read.lines === 1;
    if (isHeader) checkHeader(path, line.text);
    if (isHeader || line.text === '') return '';
    try {
      const row = readRow(line.text);
      return isStaged(row) ? stagingLine(row, read.lines) : '';
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      if (!line.isEnded) {
        throw new OperatorError(`${path} ends in the middle of a row: download it again`);
      }
      read.skipped += 1;
      onSkip(read.lines, error.message);
      return '';
    }
  };

  async function* rows(): AsyncGenerator<string> {
    for await (const lines of readLines(source.read())) {
      signal.throwIfAborted();
      const text = lines.map(take).join('');
      refuseIfMostlyBad(path, read);
      if (text !== '') yield text;
      onProgress(lines.at(-1)?.end ?? 0, source.bytes);
    }
  }

  await createStaging(client);
  try {
    await copyInto(client, STAGING, rows());
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  }
  if (read.lines === 0) throw new OperatorError(`${path} is empty`);
  return read;
}

function refuseIfMostlyBad(path: string, { lines, skipped }: Read): void {
  if (skipped <= BAD_ROWS || skipped * 100 <= lines) return;
  throw new OperatorError(`${path} has ${skipped} bad rows in ${lines}: nothing was changed`);
}

interface ImportOptions extends Omit<ReadOptions, 'keepsOthers'> {
  /** Required if the file name does not say it. */
  readonly kind?: FileKind | undefined;
  readonly clock: Clock;
  /** Called with a notice that is not an error. */
  onNotice(text: string): void;
}

/** The result of an import; null if it was stopped before the end. */
interface ImportSummary {
  readonly kind: FileKind;
  readonly rows: number;
  readonly skipped: number;
  readonly size: RegistrySize;
}

/**
 * Imports an NPPES file. At the end, one step replaces the current registry. A stopped import changes
 * nothing.
 * @throws OperatorError if the file cannot be used
 */
export function importRegistry(
  pool: pg.Pool,
  path: string,
  options: ImportOptions,
): Promise<ImportSummary | null> {
  return withSource(path, (source) =>
    inRegistrySession(pool, (client) => importSource(client, path, source, options)),
  );
}

async function importSource(
  client: pg.PoolClient,
  path: string,
  source: Source,
  options: ImportOptions,
): Promise<ImportSummary | null> {
  const coverage = coverageOf(source.name, options.kind);
  const { kind } = coverage;
  const isFull = kind === 'full';
  if (!isFull) await checkCoverage(client, coverage, options.onNotice);
  const read = await readFile(client, path, source, { ...options, keepsOthers: !isFull });
  if (!read) return null;
  if (!(await source.isUnchanged())) {
    throw new OperatorError(`${path} changed during the import: run it again`);
  }
  const importedOn = dayOf(options.clock());
  const size = await publish(client, {
    rows: isFull ? fullRows : updateRows,
    file: { name: source.name, kind, asOf: coverage.to, importedOn, ...read },
    replacesAll: isFull,
    check: isFull ? refuseShrinking : () => {},
  });
  return { kind, rows: read.lines - 1, skipped: read.skipped, size };
}

type DeactivationOptions = Pick<ImportOptions, 'clock' | 'onSkip'>;

/** The list begins with a title and column names. */
const HEADING_LINES = 5;

/** The list covers all years, so numbers that were reactivated later are not changed. */
const remainingRows = `with gone as (
    select listed.npi
    from (select npi, max(day) as day from deactivations group by npi) as listed
    left join registry_physicians as present using (npi)
    where present.npi is null or present.reactivated_on is null
      or present.reactivated_on < listed.day
  )
  select ${COLUMNS} from registry_physicians as present
  where not exists (select from gone where gone.npi = present.npi)
  union all
  select npi, true, ${'null, '.repeat(4)} '{}', ${'null, '.repeat(5)} null from gone
  order by npi`;

/**
 * Marks the numbers of a list (CSV: number, day) as deactivated, in one transaction.
 * @throws OperatorError if the list cannot be used
 */
export function importDeactivations(
  pool: pg.Pool,
  path: string,
  options: DeactivationOptions,
): Promise<Omit<ImportSummary, 'kind'>> {
  return withSource(path, (source) =>
    inRegistrySession(pool, (client) => importList(client, path, source, options)),
  );
}

async function importList(
  client: pg.PoolClient,
  path: string,
  source: Source,
  { clock, onSkip }: DeactivationOptions,
): Promise<Omit<ImportSummary, 'kind'>> {
  const { rows: files } = await client.query('select from registry_files limit 1');
  if (files.length === 0) {
    throw new OperatorError('there is no registry to update: import the full monthly file first');
  }
  const read = { lines: 0, skipped: 0, rows: 0 };
  async function* texts(): AsyncGenerator<string> {
    for await (const lines of readLines(source.read())) {
      let text = '';
      for (const line of lines) {
        read.lines += 1;
        const entry = entryOf(line.text);
        if (entry) {
          text += lineOf(entry);
          read.rows += 1;
        } else if (line.text !== '' && read.lines > HEADING_LINES) {
          read.skipped += 1;
          onSkip(read.lines, 'it is not a number and a day');
        }
      }
      if (text !== '') yield text;
    }
  }
  await client.query('create temp table deactivations (npi bigint not null, day date not null)');
  await copyInto(client, 'deactivations (npi, day)', texts());
  const { rows, skipped } = read;
  if (rows === 0) throw new OperatorError(`${path} has no row with a number and a day`);
  const importedOn = dayOf(clock());
  const size = await publish(client, {
    rows: remainingRows,
    file: { name: source.name, kind: 'deactivations', asOf: null, importedOn, ...read },
    replacesAll: false,
    check: () => {},
  });
  return { rows, skipped, size };
}

function entryOf(line: string): [npi: string, day: string] | null {
  const [npi = '', date = ''] = line.replaceAll('"', '').split(/[,;\t]/);
  const day = toDay(date.trim());
  return /^[12]\d{9}$/.test(npi.trim()) && day ? [npi.trim(), day] : null;
}
