import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import level2 from './asvs-level-2.json' with { type: 'json' };
import { countOf, evidenceOf, missingAmong } from './evidence.ts';
import { codeIn, ROOT, tableUnder } from './markdown.ts';

const DOCUMENT = 'docs/security.md';
const evidence = evidenceOf('security');

const rowsUnder = (heading: string) =>
  tableUnder(DOCUMENT, heading).map(({ id = '', where = '', ...cells }) => ({
    cells,
    ids: id.split(', '),
    where,
    files: codeIn(where).filter((code) => code.includes('/') || code.includes('.')),
  }));
const met = rowsUnder('Met');
const unmet = rowsUnder('Partly or not met');
const rows = [...met, ...unmet];
type Row = (typeof rows)[number];

const inapplicable = rowsUnder('Requirements that do not apply');

const isThere = (file: string) => existsSync(path.join(ROOT, file));
const idsOf = (found: readonly Row[]) => found.flatMap(({ ids }) => ids);

test('every requirement of levels 1 and 2 has a row or is listed as not applicable', () => {
  const required = Object.entries(level2).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  );
  const listed = [...rows, ...inapplicable].flatMap(({ ids }) => ids);
  // `V10` and `V4.3` stand for all requirements under them.
  const answering = (requirement: string) =>
    listed.filter((id) => `${requirement}.`.startsWith(`${id}.`)).length;
  expect(required.filter((id) => answering(id) !== 1)).toEqual([]);
  expect(idsOf(rows).filter((id) => !required.includes(id))).toEqual([]);
  const isUsed = (id: string) => required.some((one) => `${one}.`.startsWith(`${id}.`));
  expect(idsOf(inapplicable).filter((id) => !isUsed(id))).toEqual([]);
});

/** A link to a section, which exists: references.test.ts. */
const linksTo = ({ where }: Row) => /\]\([^)]*#/.test(where);

test('every row says what is required, and where; its files exist', () => {
  const isVague = (row: Row) =>
    !(row.cells['requirement'] && (row.files.length > 0 || linksTo(row)));
  expect(idsOf(rows.filter(isVague))).toEqual([]);
  expect(rows.flatMap(({ files }) => files).filter((file) => !isThere(file))).toEqual([]);
  expect(idsOf(inapplicable.filter(({ cells }) => !cells['why']))).toEqual([]);
});

test('every named test exists under its exact title', () => {
  expect(countOf(evidence)).toBeGreaterThan(100);
  expect(missingAmong(evidence)).toEqual([]);
  expect([...evidence.keys()].filter((id) => !idsOf(rows).includes(id))).toEqual([]);
});

test('every met requirement has a test, a document, or an absence', () => {
  const isShown = (row: Row) =>
    row.ids.every((id) => evidence.has(id)) || linksTo(row) || row.where.includes('By absence: ');
  expect(idsOf(met.filter((row) => !isShown(row)))).toEqual([]);
});

test('every requirement that is not or partly met says what is missing', () => {
  const isSilent = (row: Row) =>
    !['partly', 'not met'].includes(row.cells['state'] ?? '') || !row.cells['what is missing'];
  expect(idsOf(unmet.filter(isSilent))).toEqual([]);
});
