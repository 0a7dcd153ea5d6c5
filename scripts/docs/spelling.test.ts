import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = ['{web,contract,server,docs,e2e,ops}/**', '*.md'];
/** Databases keep the checksums of the migrations that they have applied. */
const FIXED = /^server\/db\/migrations\//;

test('email is written in one way', () => {
  const texts = globSync(FILES).filter(
    (file) => /\.(tsx?|md|json|sql|css|yaml)$/.test(file) && !FIXED.test(file),
  );
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter((file) => /e-mail/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});
