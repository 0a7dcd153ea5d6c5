import type pg from 'pg';
import { toDay as dayOf } from '#server/anonymity/coarse-time.ts';
import type { Clock } from '#server/deps.ts';
import { OperatorError } from '#server/operator-error.ts';
import { coverageOf, type FileKind } from './kind.ts';
import { checkCoverage, fullRows, refuseShrinking, updateRows } from './merge.ts';
import { publish, type RegistrySize } from './publish.ts';
import { readFile } from './read-file.ts';
import { inRegistrySession } from './session.ts';
import { isUnchanged, type Source, withSource } from './source.ts';

export interface ImportOptions {
  /** Where the name of the file does not say. */
  readonly kind?: FileKind | undefined;
  readonly clock: Clock;
  /** Told once, with the byte that is read next: past the beginning where a run was stopped. */
  onStart(bytes: number, from: number): void;
  onProgress(bytes: number): void;
  onSkip(line: number, reason: string): void;
  /** Something that is no fault, but should be known. */
  onNotice(text: string): void;
  /** Ends the import after the batch at work. */
  readonly signal: AbortSignal;
  /** Lines that are committed together. */
  readonly batchLines?: number;
}

/** What became of the file; null where it was stopped before its end. */
export interface ImportSummary {
  readonly kind: FileKind;
  readonly rows: number;
  readonly skipped: number;
  readonly size: RegistrySize;
}

/**
 * Reads an NPPES file into the registry. Batches are staged, each with its position in the file, so
 * that a run that was stopped goes on from there; the registry in use changes in one step at the end.
 * @throws OperatorError when the file cannot be used
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
      throw new OperatorError(`${path} changed while it was read: run it again`);
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
