import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const MOST_LINES = 250;
const GENERATED = 'server/db/types.ts';

test('no source file is too long to read at once', () => {
  const sources = globSync('{contract,server,web}/**/*.{ts,tsx,sql,css}', { cwd: ROOT }).filter(
    (file) => !/\.test\.|\/testing\//.test(file) && file !== GENERATED,
  );
  expect(sources.length).toBeGreaterThan(400);
  const lines = (file: string) =>
    readFileSync(path.join(ROOT, file), 'utf8').split('\n').length - 1;
  expect(sources.filter((file) => lines(file) > MOST_LINES)).toEqual([]);
});
