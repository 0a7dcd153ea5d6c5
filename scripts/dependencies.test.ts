import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { codeIn, ROOT, tableUnder } from './docs/markdown.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json'));
const { packages } = JSON.parse(read('package-lock.json'));

const documented = (section: string) =>
  tableUnder('docs/dependencies.md', section).flatMap(({ packages: cell = '', reason, runs }) =>
    codeIn(cell).map((name) => ({ name, reason, runs })),
  );

test.each([
  ['In production', dependencies],
  ['For development', devDependencies],
])('%s: each dependency has a reason and an exact version', (section, declared) => {
  const rows = documented(section);
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(declared));
  expect(rows.filter(({ reason = '' }) => !/\w{3}/.test(reason))).toEqual([]);
  const versions = Object.values<string>(declared);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('each install script that a platform could run is allowed or denied, with a reason', () => {
  const scripted = Object.keys(packages)
    .filter((place) => place !== '' && packages[place].hasInstallScript)
    .map((place) => place.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort());
  const rows = documented('Install scripts').map((row) => [row.name, row.runs === 'yes']);
  expect(Object.fromEntries(rows)).toEqual(allowScripts);
});

test('the lock file names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});
