import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT, read } from './docs/markdown.ts';

const MOST_LINES = 400;
const GENERATED = 'server/db/types.ts';

test('no source file is too long to read at once', () => {
  const sources = globSync('{contract,server,web}/**/*.{ts,tsx,sql,css}', { cwd: ROOT }).filter(
    (file) => !/\.test\.|\/testing\//.test(file) && file !== GENERATED,
  );
  expect(sources.length).toBeGreaterThan(400);
  const lines = (file: string) => read(file).split('\n').length - 1;
  expect(sources.filter((file) => lines(file) > MOST_LINES)).toEqual([]);
});
