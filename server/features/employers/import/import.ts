import type { Db } from '#server/db/open.ts';
import { type FileRow, openHospitalFile } from './import-file.ts';
import { upsertHospitals } from './import-queries.ts';
import { type Hospital, type Note, RowError, toHospital } from './import-row.ts';

/** Numbers of rows by outcome. */
export interface ImportSummary {
  added: number;
  changed: number;
  unchanged: number;
  skipped: number;
  /** What was wrong in imported rows. */
  odd: OddValues[];
}

/** Values of one column that were repaired, or are unknown, and the first of them. */
interface OddValues {
  column: Parameters<Note>[0];
  outcome: Parameters<Note>[2];
  count: number;
  text: string;
  line: number;
}

export interface ImportOptions {
  /** Called once, before anything changes. */
  onStart(lines: number): void;
  /** Called with the last line that was imported. */
  onProgress(line: number): void;
  onSkip(line: number, reason: string): void;
  /** Ends the import after the current batch. */
  signal: AbortSignal;
}

const BATCH_ROWS = 500;

/**
 * Imports the HIFLD hospitals file (docs/product/employers.md, "Employer data"). Each batch commits
 * separately: an interrupted import leaves complete batches, and the next import does the rest.
 * @throws OperatorError if the file cannot be used; then nothing has changed
 */
export async function importHospitals(
  db: Db,
  path: string,
  { onStart, onProgress, onSkip, signal }: ImportOptions,
): Promise<ImportSummary> {
  const file = await openHospitalFile(path);
  onStart(file.lines);
  const summary: ImportSummary = { added: 0, changed: 0, unchanged: 0, skipped: 0, odd: [] };
  const write = async (batch: Batch) => {
    const { added, changed } = await upsertHospitals(db, batch.hospitals);
    summary.added += added;
    summary.changed += changed;
    summary.unchanged += batch.hospitals.length - added - changed;
    onProgress(batch.lastLine);
  };
  const skip = (line: number, reason: string) => {
    summary.skipped += 1;
    onSkip(line, reason);
  };
  const batches = batchesOf(file.rows(), skip, summary.odd);
  let next = await batches.next();
  while (!next.done && !signal.aborted) {
    // Reads the next batch while the database writes this one.
    [next] = await Promise.all([batches.next(), write(next.value)]);
  }
  return summary;
}

interface Batch {
  hospitals: Hospital[];
  /** The line of the last row. */
  lastLine: number;
}

async function* batchesOf(
  rows: AsyncIterable<FileRow>,
  skip: (line: number, reason: string) => void,
  odd: OddValues[],
): AsyncGenerator<Batch, void> {
  const lineOf = new Map<string, number>();
  let batch: Batch = { hospitals: [], lastLine: 0 };
  for await (const row of rows) {
    try {
      batch.hospitals.push(readHospital(row, lineOf, odd));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      skip(row.line, error.message);
    }
    batch.lastLine = row.line;
    if (batch.hospitals.length === BATCH_ROWS) {
      yield batch;
      batch = { hospitals: [], lastLine: row.line };
    }
  }
  if (batch.hospitals.length > 0) yield batch;
}

/** `lineOf` has the line of each id read so far. @throws RowError */
function readHospital(row: FileRow, lineOf: Map<string, number>, odd: OddValues[]): Hospital {
  if ('error' in row) throw new RowError(row.error);
  const notes: Parameters<Note>[] = [];
  const hospital = toHospital(row.fields, (...note) => notes.push(note));
  const earlier = lineOf.get(hospital.source_id);
  if (earlier !== undefined) {
    throw new RowError(`ID ${hospital.source_id} is already on line ${earlier}`);
  }
  lineOf.set(hospital.source_id, row.line);
  for (const [column, text, outcome] of notes) {
    const same = odd.find((one) => one.column === column && one.outcome === outcome);
    if (same) same.count += 1;
    else odd.push({ column, outcome, count: 1, text, line: row.line });
  }
  return hospital;
}
