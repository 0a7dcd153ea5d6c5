import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { EMPLOYER_SOURCES } from '#contract/employers/employer-sources.ts';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';
import type { Fields } from './import-values.ts';
import { SOURCES, type Source } from './sources.ts';

export type CsvRow = { line: number } & ({ cells: string[] } | { error: string });

/** A row is one line, unless a quoted cell has line breaks. No address has more lines than this. */
const ROW_MAX_LINES = 10;
const HEADER_LINES = 1;

/**
 * The rows after the header, each with the number of its first line. A row is the shortest run of
 * lines with closed quotes. If it does not have `width` cells, only its first line is an error, and
 * reading continues at the next line, so that a stray quote invalidates one line. Skips blank
 * lines.
 */
export async function* readRows(
  lines: AsyncIterable<string>,
  width: number,
): AsyncGenerator<CsvRow> {
  let at = 0;
  let run: string[] = [];

  function* add(line: string): Generator<CsvRow> {
    run.push(line);
    if (!hasOpenQuote(run) || run.length === ROW_MAX_LINES) yield* settle();
  }

  function* settle(): Generator<CsvRow> {
    const [first = '', ...others] = run;
    const line = at + 1;
    const cells = parseRecord(run.join('\n'));
    const isRow = cells?.length === width;
    at += isRow ? run.length : 1;
    run = [];
    if (isRow) yield { line, cells };
    else {
      if (first.trim() !== '') yield { line, error: errorOf(first, width) };
      for (const other of others) yield* add(other);
    }
  }

  for await (const line of lines) {
    if (at < HEADER_LINES) at += 1;
    else yield* add(line);
  }
  while (run.length > 0) yield* settle();
}

/** The cells of a record; null if its quotes are wrong. */
function parseRecord(text: string): string[] | null {
  // Three quarters of the rows have no quotes. Splitting them at commas is six times as fast.
  if (!text.includes('"')) return text.split(',');
  try {
    return parse(text, { relax_column_count: true })[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

function hasOpenQuote(lines: string[]): boolean {
  return lines.reduce((quotes, line) => quotes + line.split('"').length - 1, 0) % 2 === 1;
}

function errorOf(line: string, width: number): string {
  if (hasOpenQuote([line])) return 'a quote is not closed';
  const cells = parseRecord(line);
  return cells ? `it has ${cells.length} columns, not ${width}` : 'its quotes are misplaced';
}

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
