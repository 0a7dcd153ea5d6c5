import path from 'node:path';
import { expect, test } from 'vitest';
import { NEVER_LOGGED } from '#server/anonymity/redaction.ts';
import routes from '#web/routes.ts';
import { codeIn, read, sectionOf } from './markdown.ts';
import { rowsUnder } from './product.ts';

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

test('lists the pages, each with its guard', () => {
  const pages = (entries: readonly Entry[]): [string, string][] =>
    entries.flatMap(({ path: place, index, file, children }) => [
      ...(place !== undefined || index ? [[`/${place ?? ''}`, guardOf(file)] as const] : []),
      ...pages(children ?? []),
    ]) as [string, string][];
  const documented = rowsUnder('Pages', 'who').flatMap((row) =>
    codeIn(row['path'] ?? '').map((one) => [one, row['who']]),
  );
  const known = pages(routes as Entry[]).filter(([place]) => place !== '/*');
  expect(documented.sort()).toEqual(known.sort());
});

test('lists the fields that are never logged', () => {
  const [list = ''] = sectionOf('docs/product.md', 'Log redaction').split('.');
  expect(codeIn(list)).toEqual(NEVER_LOGGED);
});
