import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import routes from '#web/routes.ts';
import { codeIn, ROOT, read, tableUnder } from './markdown.ts';

interface Entry {
  path?: string | undefined;
  index?: boolean | undefined;
  file: string;
  children?: Entry[] | undefined;
}

/** What each guard function requires. */
const GUARDS = {
  requireUser: 'signed-in user',
  requireVerified: 'verified doctor',
  requirePoster: 'verified doctor who may post',
  requireAdmin: 'administrator',
} as const;

function guardOf(file: string): string {
  const source = read(path.join('web', file));
  const [guard] = Object.entries(GUARDS).filter(([name]) => source.includes(`${name}(`));
  return guard?.[1] ?? 'anyone';
}

test('docs/product.md lists the pages, each with its guard', () => {
  const pages = ({ path: place, index, file, children = [] }: Entry): string[] => [
    ...(place !== undefined || index ? [`/${place ?? ''} ${guardOf(file)}`] : []),
    ...children.flatMap(pages),
  ];
  const documented = tableUnder('docs/product.md', 'Pages').flatMap(({ who, paths = '' }) =>
    codeIn(paths).map((one) => `${one} ${who}`),
  );
  const known = (routes as Entry[]).flatMap(pages).filter((page) => !page.startsWith('/* '));
  expect(documented.sort()).toEqual(known.sort());
});

test('every constant that the product pages name exists', () => {
  const contract = globSync('contract/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const named = globSync('docs/{product.md,product/*.md}', { cwd: ROOT })
    .flatMap((file) => codeIn(read(file)))
    .filter((code) => /^[A-Z]+_[A-Z_]+$/.test(code) && !code.endsWith('_ERROR'));
  expect(named.length).toBeGreaterThan(50);
  const isThere = (name: string) => new RegExp(`export const ${name}\\b`).test(contract);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
