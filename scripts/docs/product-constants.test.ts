import { expect, test } from 'vitest';
import { contractConstants } from './contract.ts';
import { codeIn, read, tablesOf, tableUnder } from './markdown.ts';
import { nameIn, PRODUCT } from './product.ts';
import { milliseconds } from './values.ts';

const UNITS = ['MINUTE_MS', 'DAY_MS'];

test('the constants match the contract; time limits are in docs/operations.md', async () => {
  const operations = tablesOf('docs/operations.md').flatMap(({ rows }) => rows);
  const timed = operations.map((row) => nameIn(row['name']));
  const rows = tableUnder('docs/product.md', 'Constants');
  const documented = new Map(rows.map((row) => [nameIn(row['name']), row['value'] ?? '']));
  const isPlain = (name: string) => !UNITS.includes(name) && !timed.includes(name);
  const constants = (await contractConstants()).filter(
    ([name, value]) => documented.has(name) || (typeof value === 'number' && isPlain(name)),
  );
  const inCode = constants.map(([name, value]) => [name, value]);
  const read = [...documented].map(([name, value]) => [name, parsed(name, value)]);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(inCode));
  expect([...documented.keys()].filter((name) => timed.includes(name))).toEqual([]);
});

/** `5,000`, `2 s`, `45 days`, or a text. */
function parsed(name: string, text: string): string | number {
  if (name.endsWith('_MS')) return milliseconds(text);
  const number = Number(text.replaceAll(',', '').replace(/ (?:days|px)$/, ''));
  return Number.isNaN(number) || text.startsWith('`') ? (codeIn(text)[0] ?? text) : number;
}

test('every named constant exists', async () => {
  const known = new Set((await contractConstants()).map(([name]) => name));
  const named = PRODUCT.flatMap((file) => codeIn(read(file))).filter(
    (code) => /^[A-Z]+_[A-Z_]+$/.test(code) && !code.endsWith('_ERROR'),
  );
  // Columns of the hospitals file.
  expect(named.filter((name) => !known.has(name) && name !== 'TTL_STAFF')).toEqual([]);
});
