import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './markdown.ts';
import { testTitlesOf } from './test-titles.ts';

interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** The tests in a cell, as "`file` › title" between line breaks, and its other texts. */
export function evidenceIn(cell: string): { tests: NamedTest[]; texts: string[] } {
  const tests: NamedTest[] = [];
  const texts: string[] = [];
  for (const item of cell.split('<br>')) {
    const [, file, title] = /^`([^`]+)` › (.+)$/.exec(item) ?? [];
    if (file && title) tests.push({ file, title });
    else texts.push(item);
  }
  return { tests, texts };
}

/** The tests that do not exist under their exact titles. */
export function missingAmong(named: readonly NamedTest[]): NamedTest[] {
  const titles = new Map<string, string[]>();
  return named.filter(({ file, title }) => {
    if (!titles.has(file)) {
      titles.set(file, existsSync(path.join(ROOT, file)) ? testTitlesOf(file) : []);
    }
    return !titles.get(file)?.includes(title);
  });
}
