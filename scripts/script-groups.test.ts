import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from './docs/markdown.ts';
import { GROUPS } from './script-groups.ts';

const SOURCES = '{contract,web}/**/*.{ts,tsx}';
const PACKAGES =
  'node_modules/{react,react-dom,react-router,scheduler,lucide-react/dist/esm/icons}/*';
const modules = [...globSync([SOURCES, PACKAGES], { cwd: ROOT }), 'vite/preload-helper.js'].map(
  (file) => `/${file}`,
);

/** A pattern for each alternative in its groups, including excluded ones. */
function alternatives(source: string): string[] {
  const [group, choices] = /\((?:\?[:!])?([^()]*)\)/.exec(source) ?? [];
  if (group === undefined || choices === undefined) return [source];
  return choices.split('|').flatMap((choice) => alternatives(source.replace(group, () => choice)));
}

test.each(Object.entries(GROUPS))('each name in the group %s is a module', (_name, patterns) => {
  const names = patterns.flatMap(({ source }) => [source, ...alternatives(source)]);
  const missing = names.filter((name) => !modules.some((id) => new RegExp(name).test(id)));
  expect(missing).toEqual([]);
});

test('a new endpoint file is in no group by default', () => {
  const patterns = Object.values(GROUPS).flat();
  expect(patterns.filter((pattern) => pattern.test('/contract/endpoints/new.ts'))).toEqual([]);
});
