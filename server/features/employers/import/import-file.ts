import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { explainFileError, OperatorError } from '#server/operator-error.ts';
import { type CsvRow, parseRecord, readRows } from './import-csv.ts';
import { type HospitalFields, READ_COLUMNS } from './import-row.ts';

/** Real lines have about 500 bytes. A file with longer lines is not a CSV file. */
const LINE_MAX_BYTES = 1024 * 1024;
const BOM = /^\uFEFF/;

export interface HospitalFile {
  /** Number of lines after the header: at least the number of rows. */
  readonly lines: number;
  /** Each row: its fields by column name, or the error in it. */
  rows(): AsyncGenerator<FileRow>;
}

export type FileRow = { line: number } & ({ fields: HospitalFields } | { error: string });

/**
 * Checks the whole file before importing any of it: that it can be read, is UTF-8, and has the
 * header of the HIFLD hospitals file. Streams it, here and in `rows`.
 * @throws OperatorError
 */
export async function openHospitalFile(path: string): Promise<HospitalFile> {
  try {
    const kind = await stat(path);
    if (kind.isDirectory()) throw new OperatorError(`${path} is a folder, not a file`);
    if (!kind.isFile()) throw new OperatorError(`${path} is not a file`);
    const { header, lines } = await survey(path);
    const columns = columnsOf(path, header);
    return { lines, rows: () => rowsOf(path, columns, header.length) };
  } catch (error) {
    throw explainFileError(path, error);
  }
}

/** The cells of the header, and the number of lines after it. */
async function survey(path: string) {
  let header: string[] | undefined;
  let count = 0;
  for await (const line of readLines(path)) {
    count += 1;
    if (!isUtf8(line)) {
      throw new OperatorError(`${path} is not UTF-8 text (line ${count}): nothing was imported`);
    }
    header ??= parseRecord(line.toString().replace(BOM, '')) ?? [];
  }
  if (!header) throw new OperatorError(`${path} is empty`);
  if (count === 1) throw new OperatorError(`${path} has no rows after its first line`);
  return { header, lines: count - 1 };
}

/** The positions of the columns that are read. */
function columnsOf(path: string, header: string[]): Map<keyof HospitalFields, number> {
  const places = new Map(READ_COLUMNS.map((name) => [name, header.indexOf(name)]));
  const missing = READ_COLUMNS.filter((name) => places.get(name) === -1);
  if (missing.length > 0) {
    throw new OperatorError(
      `${path} is not the HIFLD hospitals file: its first line lacks ${missing.join(', ')}`,
    );
  }
  return places;
}

async function* rowsOf(
  path: string,
  columns: Map<keyof HospitalFields, number>,
  width: number,
): AsyncGenerator<FileRow> {
  for await (const row of readRows(textLines(path), width)) yield named(row, columns);
}

function named(row: CsvRow, columns: Map<keyof HospitalFields, number>): FileRow {
  if ('error' in row) return row;
  const fields = Object.fromEntries([...columns].map(([name, at]) => [name, row.cells[at]]));
  return { line: row.line, fields: fields as HospitalFields };
}

async function* textLines(path: string): AsyncGenerator<string> {
  for await (const line of readLines(path)) yield line.toString();
}

const [LF, CR] = [10, 13];

/**
 * The lines as bytes. They end in LF, CR LF, or CR alone, as old spreadsheets write. In UTF-8, a line
 * break is never part of a longer character.
 */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    let [lf, cr] = [bytes.indexOf(LF), bytes.indexOf(CR)];
    while (lf !== -1 || cr !== -1) {
      const end = Math.min(...[lf, cr].filter((at) => at !== -1));
      // The next chunk may begin with this CR's LF.
      if (end === cr && end === bytes.length - 1) break;
      yield bytes.subarray(start, end);
      start = end + (end === cr && lf === end + 1 ? 2 : 1);
      if (lf !== -1 && lf < start) lf = bytes.indexOf(LF, start);
      if (cr !== -1 && cr < start) cr = bytes.indexOf(CR, start);
    }
    rest = bytes.subarray(start);
    if (rest.length > LINE_MAX_BYTES) throw new OperatorError(`${path} is not a CSV file`);
  }
  if (rest.length > 0) yield rest.at(-1) === CR ? rest.subarray(0, -1) : rest;
}
