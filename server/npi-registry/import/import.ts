import type pg from 'pg';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay as dayOf } from '#server/anonymity/coarse-time.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import {
  checkCoverage,
  coverageOf,
  type FileKind,
  fullRows,
  refuseShrinking,
  updateRows,
} from './merge.ts';
import { publish, type RegistrySize } from './publish.ts';
import { type ReadOptions, readFile } from './read-file.ts';
import { inRegistrySession } from './session.ts';
import { type Source, withSource } from './source.ts';

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
