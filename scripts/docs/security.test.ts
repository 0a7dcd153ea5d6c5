import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import level2 from './asvs-level-2.json' with { type: 'json' };
import { evidenceIn, missingAmong } from './evidence.ts';
import { codeIn, ROOT, referencesOf, tablesOf, tableUnder } from './markdown.ts';

const DOCUMENT = 'docs/security.md';
const STATES = ['met', 'partly', 'not met'];
const EVIDENCE = 'shown by, or what is missing';

const rows = tablesOf(DOCUMENT)
  .flatMap((table) => table.rows)
  .filter((row) => EVIDENCE in row)
  .map((row) => ({
    id: row['id'] ?? '',
    asks: row['requirement'] ?? '',
    state: row['state'] ?? '',
    files: codeIn(row['where'] ?? '').filter((code) => code.includes('/') || code.includes('.')),
    evidence: evidenceIn(row[EVIDENCE] ?? ''),
  }));
type Row = (typeof rows)[number];

const inapplicable = tableUnder(DOCUMENT, 'Requirements that do not apply').flatMap(
  ({ id = '', why = '' }) => id.split(', ').map((one) => ({ id: one, why })),
);

const isThere = (file: string) => existsSync(path.join(ROOT, file));
const rowsThat = (fails: (row: Row) => boolean) => rows.filter(fails).map(({ id }) => id);

test('every requirement of levels 1 and 2 has a row or is listed as not applicable', () => {
  const required = Object.entries(level2).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  );
  // `V10` and `V4.3` stand for all requirements under them.
  const answering = (requirement: string) =>
    [...rows, ...inapplicable].filter(({ id }) => `${requirement}.`.startsWith(`${id}.`)).length;
  expect(required.filter((id) => answering(id) !== 1)).toEqual([]);
  expect(rowsThat(({ id }) => !required.includes(id))).toEqual([]);
  const isUsed = (id: string) => required.some((one) => `${one}.`.startsWith(`${id}.`));
  expect(inapplicable.filter(({ id }) => !isUsed(id))).toEqual([]);
});

test('every row has a state, a file, and only files that exist', () => {
  expect(rowsThat(({ state }) => !STATES.includes(state))).toEqual([]);
  expect(rowsThat(({ asks, files }) => asks === '' || files.length === 0)).toEqual([]);
  expect(rows.flatMap(({ files }) => files).filter((file) => !isThere(file))).toEqual([]);
  expect(inapplicable.filter(({ why }) => why === '')).toEqual([]);
});

test('every named test exists under its exact title', () => {
  const named = rows.flatMap(({ evidence }) => evidence.tests);
  expect(named.length).toBeGreaterThan(100);
  expect(missingAmong(named)).toEqual([]);
});

test('every met requirement names a test, a document, or an absence', () => {
  const isDocumented = ({ files }: Row, text: string) => {
    const [, heading = ''] = /^Under "(.+)"[.]$/.exec(text) ?? [];
    return files
      .filter((file) => file.endsWith('.md'))
      .some((file) => referencesOf(file).headings.includes(heading));
  };
  const unshown = rowsThat((row) => {
    const { tests, texts } = row.evidence;
    const isShown = (text: string) => text.startsWith('By absence: ') || isDocumented(row, text);
    return row.state === 'met' && !(texts.every(isShown) && tests.length + texts.length > 0);
  });
  expect(unshown).toEqual([]);
});

test('every requirement that is not or partly met says what is missing', () => {
  const isSilent = ({ evidence }: Row) => evidence.texts.every((text) => text === '');
  expect(rowsThat((row) => row.state !== 'met' && isSilent(row))).toEqual([]);
});
