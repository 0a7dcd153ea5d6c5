import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = ['{web,contract,server,docs,e2e,ops}/**', '*.md'];

test('email is written in one way', () => {
  const texts = globSync(FILES).filter((file) => /\.(tsx?|md|json|sql|css|yaml)$/.test(file));
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter((file) => /e-mail/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});
