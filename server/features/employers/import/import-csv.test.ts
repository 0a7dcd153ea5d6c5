import { expect, test } from 'vitest';
import { type CsvRow, readRows } from './import-file.ts';

async function rowsOf(...lines: string[]): Promise<CsvRow[]> {
  async function* file() {
    yield* ['A,B,C', ...lines];
  }
  const rows: CsvRow[] = [];
  for await (const row of readRows(file(), 3)) rows.push(row);
  return rows;
}

test('parses quotes, commas, and line breaks in cells as in RFC 4180', async () => {
  expect(await rowsOf('1,"x, y","say ""so"""', '2,"one', 'two",z', '3,,')).toEqual([
    { line: 2, cells: ['1', 'x, y', 'say "so"'] },
    { line: 3, cells: ['2', 'one\ntwo', 'z'] },
    { line: 5, cells: ['3', '', ''] },
  ]);
});

test('rejects only the rows with too few or too many columns', async () => {
  expect(await rowsOf('1,x', '2,x,y', '3,x,y,z')).toEqual([
    { line: 2, error: 'it has 2 columns, not 3' },
    { line: 3, cells: ['2', 'x', 'y'] },
    { line: 4, error: 'it has 4 columns, not 3' },
  ]);
});

test('a stray quote invalidates only its own line, whatever follows', async () => {
  const good = Array.from({ length: 25 }, (_, at) => `${at},"x, y",z`);
  const rows = await rowsOf('a,"open,z', ...good, 'b,open",z', 'c,mis"placed" quotes,z', 'd,x,y');
  expect(rows.filter((row) => 'error' in row)).toEqual([
    { line: 2, error: 'a quote is not closed' },
    { line: 28, error: 'a quote is not closed' },
    { line: 29, error: 'its quotes are misplaced' },
  ]);
  expect(rows).toHaveLength(29);
  expect(rows.at(-1)).toEqual({ line: 30, cells: ['d', 'x', 'y'] });
});

test('an unclosed quote at the end of the file invalidates only its own line', async () => {
  expect(await rowsOf('1,"open,z', '2,x,y')).toEqual([
    { line: 2, error: 'a quote is not closed' },
    { line: 3, cells: ['2', 'x', 'y'] },
  ]);
});

test('counts blank lines, but not as rows', async () => {
  expect(await rowsOf('', '1,x,y', '  ')).toEqual([{ line: 3, cells: ['1', 'x', 'y'] }]);
});
