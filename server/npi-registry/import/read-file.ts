import type pg from 'pg';
import { OperatorError } from '#server/operator-error.ts';
import { checkHeader } from './columns.ts';
import { type Line, readLines } from './lines.ts';
import { type RegistryRow, RowError, readRow } from './row.ts';
import type { Source } from './source.ts';
import { type Position, resume, stageBatch, stagingLine } from './staging.ts';

/** Lines per transaction. */
const BATCH_LINES = 10_000;
/** A file with more bad rows than this, and more than 1% bad rows, is damaged or the wrong file. */
const BAD_ROWS = 1000;

export interface ReadOptions {
  /** Whether to stage numbers of other professions as well, so they get removed. */
  readonly keepsOthers: boolean;
  /** Called once with the total and the first byte to read, above 0 when a stopped import resumes. */
  onStart(bytes: number, from: number): void;
  onProgress(bytes: number): void;
  onSkip(line: number, reason: string): void;
  /** Stops the import after the current batch. */
  readonly signal: AbortSignal;
}

/**
 * Reads the file into registry_staging, resuming where an earlier run stopped. Null if stopped.
 * @throws OperatorError
 */
export async function readFile(
  client: pg.PoolClient,
  path: string,
  source: Source,
  options: ReadOptions,
): Promise<Position | null> {
  const { keepsOthers, onStart, onProgress, onSkip, signal } = options;
  const at = { ...((await resume(client, source)) ?? { nextByte: 0, lines: 0, skipped: 0 }) };
  onStart(source.bytes, at.nextByte);
  const chunks = readLines(source.read(at.nextByte), at.nextByte);
  let isAtEnd = false;

  const take = (line: Line): string => {
    at.lines += 1;
    at.nextByte = line.end;
    const isHeader = at.lines === 1;
    if (isHeader) checkHeader(path, line.text);
    if (isHeader || line.text === '') return '';
    try {
      const row = readRow(line.text);
      return isStaged(row) ? stagingLine(row, at.lines) : '';
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      if (!line.isEnded) {
        throw new OperatorError(`${path} ends in the middle of a row: download it again`);
      }
      at.skipped += 1;
      onSkip(at.lines, error.message);
      return '';
    }
  };
  const isStaged = ({ kind }: RegistryRow) => kind !== 'other' || keepsOthers;

  async function* batch(): AsyncGenerator<string> {
    const until = at.lines + BATCH_LINES;
    while (at.lines < until) {
      const { value, done } = await chunks.next();
      if (done) {
        isAtEnd = true;
        return;
      }
      const text = value.map(take).join('');
      if (text !== '') yield text;
    }
  }

  try {
    while (!isAtEnd && !signal.aborted) {
      await stageBatch(client, source, batch(), () => at);
      refuseIfMostlyBad(path, at);
      onProgress(at.nextByte);
    }
  } finally {
    await chunks.return();
  }
  if (at.lines === 0) throw new OperatorError(`${path} is empty`);
  return signal.aborted ? null : at;
}

function refuseIfMostlyBad(path: string, { lines, skipped }: Position): void {
  if (skipped <= BAD_ROWS || skipped * 100 <= lines) return;
  throw new OperatorError(`${path} has ${skipped} bad rows in ${lines}: nothing was changed`);
}
