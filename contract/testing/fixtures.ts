import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The lines of a file in `contract/fixtures`, without comments. */
export const linesOf = (fixture: string): string[] =>
  readFileSync(path.join(import.meta.dirname, '../fixtures', fixture), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
