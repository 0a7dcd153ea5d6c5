import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { EMPLOYER_SOURCES } from '#contract/employer-sources.ts';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';
import { type CsvRow, parseRecord, readRows } from './import-csv.ts';
import type { Fields } from './import-values.ts';
import { SOURCES, type Source } from './sources.ts';

/** Real lines have about 500 bytes. A file with longer lines is not a CSV file. */
const LINE_MAX_BYTES = 1024 * 1024;
const BOM = /^\uFEFF/;

export interface EmployerFile {
  readonly source: Source;
  /** Number of lines after the header: at least the number of rows. */
  readonly lines: number;
  /** Each row: its fields by column name, or the error in it. */
  rows(): AsyncGenerator<FileRow>;
}

export type FileRow = { line: number } & ({ fields: Fields } | { error: string });

/**
 * Checks the whole file before importing any of it: that it can be read, is text, and has the header
 * of a source. Streams it, here and in `rows`.
 * @throws OperatorError
 */
export async function openEmployerFile(path: string): Promise<EmployerFile> {
  try {
    const kind = await stat(path);
    if (kind.isDirectory()) throw new OperatorError(`${path} is a folder, not a file`);
    if (!kind.isFile()) throw new OperatorError(`${path} is not a file`);
    const { header, lines, westernLine } = await survey(path);
    const { source, columns } = recognize(path, header);
    if (westernLine !== null && !source.mayBeWestern) {
      throw new OperatorError(
        `${path} is not UTF-8 text (line ${westernLine}): nothing was imported`,
      );
    }
    const decoder = new TextDecoder(westernLine === null ? 'utf-8' : 'windows-1252');
    return { source, lines, rows: () => rowsOf(path, decoder, columns, header.length) };
  } catch (error) {
    throw explainFileError(path, error);
  }
}

/** The cells of the header, the number of lines after it, and the first one that is not UTF-8. */
async function survey(path: string) {
  let header: string[] | undefined;
  let count = 0;
  let westernLine: number | null = null;
  for await (const line of readLines(path)) {
    count += 1;
    if (westernLine === null && !isUtf8(line)) westernLine = count;
    header ??= parseRecord(line.toString().replace(BOM, '')) ?? [];
  }
  if (!header) throw new OperatorError(`${path} is empty`);
  if (count === 1) throw new OperatorError(`${path} has no rows after its first line`);
  return { header, lines: count - 1, westernLine };
}

type Columns = ReadonlyMap<string, number>;

/** The source whose columns the header has, and their places. */
function recognize(path: string, header: readonly string[]): { source: Source; columns: Columns } {
  const placeOf = (names: readonly string[]) => header.findIndex((cell) => names.includes(cell));
  const placesIn = (columns: Source['columns']) =>
    Object.entries(columns).map(([name, others]) => [name, placeOf([name, ...others])] as const);
  const found = SOURCES.map((source) => {
    const places = placesIn(source.columns);
    return { source, places, missing: places.filter(([, at]) => at === -1) };
  }).toSorted((a, b) => a.missing.length / a.places.length - b.missing.length / b.places.length);
  const [{ source, places, missing }] = found as [(typeof found)[0]];
  if (missing.length === places.length) {
    throw new OperatorError(
      `${path} is not a file of employers: ${Object.values(EMPLOYER_SOURCES).join(', ')}`,
    );
  }
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ');
    throw new OperatorError(
      `${path} is not the ${EMPLOYER_SOURCES[source.id]} file: its first line lacks ${names}`,
    );
  }
  const optional = placesIn(source.optional).filter(([, at]) => at !== -1);
  return { source, columns: new Map([...places, ...optional]) };
}

async function* rowsOf(
  path: string,
  decoder: TextDecoder,
  columns: Columns,
  width: number,
): AsyncGenerator<FileRow> {
  for await (const row of readRows(textLines(path, decoder), width)) yield named(row, columns);
}

function named(row: CsvRow, columns: Columns): FileRow {
  if ('error' in row) return row;
  const fields = Object.fromEntries([...columns].map(([name, at]) => [name, row.cells[at] ?? '']));
  return { line: row.line, fields };
}

async function* textLines(path: string, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const line of readLines(path)) yield decoder.decode(line);
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
