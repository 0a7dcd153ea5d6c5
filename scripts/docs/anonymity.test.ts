import { expect, test } from 'vitest';
import { TABLE_OWNERS } from '../features.ts';
import { evidenceIn, missingAmong } from './evidence.ts';
import { codeIn, tableUnder } from './markdown.ts';

const rows = tableUnder('docs/anonymity.md', 'Adversaries').map((row) => ({
  adversary: row['adversary'] ?? '',
  learns: row['what they learn'] ?? '',
  evidence: evidenceIn(row['shown by'] ?? ''),
}));

test('docs/anonymity.md says what every adversary learns, and names a test or a reason why none can exist', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ adversary, learns }) => adversary === '' || learns === '')).toEqual([]);
  const unshown = rows.filter(
    ({ evidence: { tests, texts } }) =>
      tests.length + texts.length === 0 || !texts.every((text) => text.startsWith('Not tested: ')),
  );
  expect(unshown.map(({ adversary }) => adversary)).toEqual([]);
});

test('every test named for an adversary exists under its exact title', () => {
  const named = rows.flatMap(({ evidence }) => evidence.tests);
  expect(named.length).toBeGreaterThan(15);
  expect(missingAmong(named)).toEqual([]);
});

test('"What is stored" has every table of the database', () => {
  const table = tableUnder('docs/anonymity.md', 'What is stored');
  const stored = table.flatMap(({ where = '' }) => codeIn(where));
  expect(Object.keys(TABLE_OWNERS).filter((table) => !stored.includes(table))).toEqual([]);
});
