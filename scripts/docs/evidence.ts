import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, read } from './markdown.ts';
import { testTitlesOf } from './test-titles.ts';

/** The titles of tests, by file. */
type Tests = Readonly<Record<string, readonly string[]>>;

/** The tests that show each promise of a document: `docs/evidence/NAME.json`. */
export function evidenceOf(name: string): Map<string, Tests> {
  return new Map(Object.entries(JSON.parse(read(`docs/evidence/${name}.json`))));
}

/** The tests that do not exist under their exact titles. */
export function missingAmong(evidence: ReadonlyMap<string, Tests>): string[] {
  const named = [...evidence.values()].flatMap((tests) => Object.entries(tests));
  return named.flatMap(([file, titles]) => {
    const known = existsSync(path.join(ROOT, file)) ? testTitlesOf(file) : [];
    return titles.filter((title) => !known.includes(title)).map((title) => `${file} › ${title}`);
  });
}

export const countOf = (evidence: ReadonlyMap<string, Tests>) =>
  [...evidence.values()].flatMap((tests) => Object.values(tests)).flat().length;
