import { expect, test } from 'vitest';
import { type Cells, physician, taxonomies } from '../testing/nppes-file.ts';
import { AT, RowError, readRow, toDay } from './row.ts';

const NPI = '1234567893';
const read = (cells: Cells = {}) => readRow(physician(NPI, cells));
const codes = (...list: string[]) =>
  taxonomies(...list.map((code, n) => [code, n === 0 ? 'Y' : 'N'] as const));

// Its tests say which codes `professionOf` takes.
test.each(['204E00000X', '207R00000X', '209800000X', '390200000X'])('keeps %s', (code) => {
  expect(read(codes(code))).toMatchObject({ kind: 'physician', physician: { specialty: code } });
});

test.each(['203BA0000X', '363LF0000X', '122300000X', '2098000001', ''])('skips %s', (code) => {
  expect(read(codes(code))).toEqual({ kind: 'other', npi: NPI });
});

const [INTERNIST, NEUROLOGIST] = ['207R00000X', '2084N0400X'] as const;
const [NURSE, PEDIATRICIAN] = ['363LF0000X', '208000000X'] as const;
const second = taxonomies([INTERNIST, 'N'], [NEUROLOGIST, 'Y']);
const neither = taxonomies([INTERNIST, 'N'], [NEUROLOGIST, 'N']);
const nurse = taxonomies([NURSE, 'Y'], [PEDIATRICIAN, 'N']);
test.each<[what: string, cells: Cells, specialty: string, kept: string[]]>([
  ['the primary one', second, NEUROLOGIST, [INTERNIST, NEUROLOGIST]],
  ['the first if there is no primary one', neither, INTERNIST, [INTERNIST, NEUROLOGIST]],
  ["a physician's if the primary one is not", nurse, PEDIATRICIAN, [NURSE, PEDIATRICIAN]],
  ['the fifteenth', { ...codes(''), 103: '208D00000X', 106: 'Y' }, '208D00000X', ['208D00000X']],
  ['a duplicate once', codes(INTERNIST, INTERNIST), INTERNIST, [INTERNIST]],
])('picks the specialty of %s', (_what, cells, specialty, kept) => {
  expect(read(cells)).toMatchObject({ physician: { specialty, taxonomies: kept } });
});

test.each<[what: string, off: string, on: string, kind: string]>([
  ['never deactivated', '', '', 'physician'],
  ['deactivated', '05/06/2019', '', 'deactivated'],
  ['reactivated later', '05/06/2019', '05/07/2019', 'physician'],
  ['reactivated on the same day', '05/06/2019', '05/06/2019', 'physician'],
  ['deactivated again', '05/06/2019', '05/05/2019', 'deactivated'],
])('parses a number that was %s', (_what, off, on, kind) => {
  expect(read({ [AT.deactivatedOn]: off, [AT.reactivatedOn]: on }).kind).toBe(kind);
});

test.each<[what: string, cells: Cells, first: string | null]>([
  ['a quote in the middle', { [AT.firstName]: 'MARY "MIMI" ANN' }, 'MARY "MIMI" ANN'],
  ['doubled quotes', { [AT.firstName]: 'MARY ""MIMI""' }, 'MARY "MIMI"'],
  ['a comma', { [AT.firstName]: 'MARY, ANN' }, 'MARY, ANN'],
  ['tabs, backslashes, and spaces', { [AT.firstName]: ' MARY\t\\N  ANN ' }, 'MARY \\N ANN'],
  ['a null character', { [AT.firstName]: 'MARY\u0000' }, 'MARY'],
  ['accents', { [AT.firstName]: 'JOSÉ' }, 'JOSÉ'],
  ['dashes for missing values', { [AT.firstName]: '--' }, null],
  ['nothing', { [AT.firstName]: '' }, null],
])('parses a name with %s', (_what, cells, first) => {
  expect(read(cells)).toMatchObject({ physician: { name: { first } } });
});

test.each<[Cells | string, string]>([
  ['', 'it does not begin and end with a quote'],
  ['"', 'it does not begin and end with a quote'],
  ['"1234567893","1"', 'it has 2 columns, not 330'],
  [physician(NPI).replace('"MIRIAM"', '"MIR","IAM"'), 'it has 331 columns, not 330'],
  [{ [AT.npi]: '3234567893' }, 'its first column is not an NPI'],
  [{ [AT.npi]: "1'; drop" }, 'its first column is not an NPI'],
  [{ [AT.entityType]: 'A' }, 'its entity type is neither 1 nor 2'],
  [{ [AT.deactivatedOn]: '2019' }, 'a date in it is not in the form 11/22/2026'],
  [{ [AT.lastName]: 'M\uFFFDLLER' }, 'it is not UTF-8 text'],
])('rejects %j: %s', (cells, reason) => {
  const line = typeof cells === 'string' ? cells : physician(NPI, cells);
  expect(() => readRow(line)).toThrow(new RowError(reason));
});

test.each([
  ['11/22/2026', '2026-11-22'],
  ['1/2/2026', '2026-01-02'],
  ['2026-11-22', '2026-11-22'],
  ['02/29/2024', '2024-02-29'],
  ['02/29/2023', null],
  ['13/01/2026', null],
  ['22.11.2026', null],
])('parses the day %s', (text, day) => {
  expect(toDay(text)).toBe(day);
});
