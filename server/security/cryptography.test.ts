import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { PRODUCTION } from '#server/config/testing/production.ts';
import { hashPassword } from '#server/features/accounts/credentials/passwords.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Production code without the demo data, which uses public pseudorandom numbers. */
const SOURCES = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !/[.]test[.]|\/testing\/|^server\/demo\//.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

const usesOf = (pattern: RegExp) =>
  SOURCES.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name));

test('uses only approved hashes, ciphers, and key derivations', () => {
  const call =
    /\b(?:createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync)\(\s*'([^']*)'/g;
  expect([...new Set(usesOf(call))].sort()).toEqual(['aes-256-gcm', 'sha256']);
  expect(usesOf(/\b(?:createHash|createHmac|createCipheriv|hkdfSync)(\(\s*[^'\s])/g)).toEqual([]);
});

test('values that must not be guessed come from the secure random generator', () => {
  const files = SOURCES.filter(({ text }) => text.includes('Math.random')).map(({ file }) => file);
  // The pause before a transaction is retried.
  expect(files).toEqual(['server/db/transaction.ts']);
});

test('no code is created from text, and no shell is started', () => {
  expect(usesOf(/(?<![.\w])(eval|new Function|exec|execSync)\(/g)).toEqual([]);
  expect(usesOf(/(shell: true)/g)).toEqual([]);
});

test('stores a password as argon2id with a salt and the cost that OWASP recommends', async () => {
  const { passwordCost } = loadConfig(PRODUCTION);
  const hash = () => hashPassword({ config: { passwordCost } }, 'Same-1-password');
  const [first, second] = [await hash(), await hash()];
  expect(first.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second.hash).not.toBe(first.hash);
  expect(second.wrappingKey).not.toEqual(first.wrappingKey);
});
