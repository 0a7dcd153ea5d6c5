import { expect, test } from 'vitest';
import { TABLE_OWNERS } from '../features.ts';
import { countOf, evidenceOf, missingAmong } from './evidence.ts';
import { codeIn, read, tableUnder } from './markdown.ts';

const DOCUMENT = 'docs/anonymity.md';
const rows = tableUnder(DOCUMENT, 'Adversaries');
const evidence = evidenceOf('anonymity');

test('docs/anonymity.md says what every adversary learns, and docs/evidence names tests for each', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !row['what they learn'])).toEqual([]);
  expect([...evidence.keys()]).toEqual(rows.map(({ adversary }) => adversary));
  const unshown = [...evidence].filter(([, tests]) => Object.values(tests).flat().length === 0);
  expect(unshown).toEqual([]);
});

test('every test named for an adversary exists under its exact title', () => {
  expect(countOf(evidence)).toBeGreaterThan(100);
  expect(missingAmong(evidence)).toEqual([]);
});

test.each([
  ['unlocked', 'What each set of keys reveals'],
  ['locked', 'What each set of keys reveals about locked reviews'],
])('the table about %s reviews has rows of the measured ones', (cohort, heading) => {
  const measured = JSON.parse(read('docs/evidence/keys.json'))[cohort];
  expect(measured).toHaveLength(16);
  expect(measured).toEqual(expect.arrayContaining([...tableUnder(DOCUMENT, heading)]));
});

test('"What is stored" has every table of the database', () => {
  const table = tableUnder(DOCUMENT, 'What is stored');
  const stored = table.flatMap(({ where = '' }) => codeIn(where));
  expect(Object.keys(TABLE_OWNERS).filter((table) => !stored.includes(table))).toEqual([]);
});
