import type pg from 'pg';
import { toDay as dayOf } from '#server/anonymity/coarse-time.ts';
import type { Clock } from '#server/deps.ts';
import { OperatorError } from '#server/operator-error.ts';
import {
  checkCoverage,
  coverageOf,
  type FileKind,
  fullRows,
  refuseShrinking,
  updateRows,
} from './merge.ts';
import { publish, type RegistrySize } from './publish.ts';
import { readFile } from './read-file.ts';
import { inRegistrySession } from './session.ts';
import { isUnchanged, type Source, withSource } from './source.ts';

export interface ImportOptions {
  /** Needed if the file name does not say it. */
  readonly kind?: FileKind | undefined;
  readonly clock: Clock;
  /** Called once with the first byte to read: above 0 when a stopped import resumes. */
  onStart(bytes: number, from: number): void;
  onProgress(bytes: number): void;
  onSkip(line: number, reason: string): void;
  /** Reports something that is not an error. */
  onNotice(text: string): void;
  /** Stops the import after the current batch. */
  readonly signal: AbortSignal;
  /** Lines per transaction. */
  readonly batchLines?: number;
}

/** The result of an import; null if it was stopped before the end. */
export interface ImportSummary {
  readonly kind: FileKind;
  readonly rows: number;
  readonly skipped: number;
  readonly size: RegistrySize;
}

/**
 * Imports an NPPES file. Batches are staged with their position in the file, so that a stopped
 * import resumes there. The registry in use is replaced in one step at the end.
 * @throws OperatorError if the file cannot be used
 */
export async function importRegistry(
  pool: pg.Pool,
  path: string,
  options: ImportOptions,
): Promise<ImportSummary | null> {
  return withSource(path, (source) => importSource(pool, path, source, options));
}

async function importSource(
  pool: pg.Pool,
  path: string,
  source: Source,
  options: ImportOptions,
): Promise<ImportSummary | null> {
  const coverage = coverageOf(source.name, options.kind);
  const isFull = coverage.kind === 'full';
  return inRegistrySession(pool, async (client) => {
    if (!isFull) await checkCoverage(client, coverage, options.onNotice);
    const read = await readFile(client, path, source, { ...options, keepsOthers: !isFull });
    if (!read) return null;
    if (!(await isUnchanged(path, source))) {
      throw new OperatorError(`${path} changed during the import: run it again`);
    }
    const file = {
      name: source.name,
      kind: coverage.kind,
      asOf: coverage.to,
      importedOn: dayOf(options.clock()),
      ...read,
    };
    const size = await publish(client, {
      rows: isFull ? fullRows : updateRows,
      file,
      replacesAll: isFull,
      usesStaging: true,
      check: isFull ? refuseShrinking : () => {},
    });
    return { kind: coverage.kind, rows: read.lines - 1, skipped: read.skipped, size };
  });
}
