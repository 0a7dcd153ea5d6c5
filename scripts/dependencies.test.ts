import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { markdownTable } from './markdown-table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json'));
const lock: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
  read('package-lock.json'),
);

const documented = (section: string) =>
  markdownTable(read('docs/dependencies.md'), section).map(([name = '', ...cells]) => ({
    name: name.replaceAll('`', ''),
    cells,
  }));

test.each([
  ['In production', dependencies],
  ['For development', devDependencies],
])('%s: each dependency has its reason, and its exact version', (section, declared) => {
  const rows = documented(section);
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(declared));
  for (const { name, cells } of rows) expect(cells[0], name).toMatch(/\w{3}/);
  for (const version of Object.values(declared))
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test('each install script that a platform could run is allowed or denied, with its reason', () => {
  const scripted = Object.entries(lock.packages)
    .filter(([place, { hasInstallScript }]) => place !== '' && hasInstallScript)
    .map(([place]) => place.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort());
  const rows = documented('Install scripts');
  expect(Object.fromEntries(rows.map(({ name, cells }) => [name, cells[0] === 'yes']))).toEqual(
    allowScripts,
  );
});

test('the lock file names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});
