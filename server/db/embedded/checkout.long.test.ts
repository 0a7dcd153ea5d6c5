import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRoot } from './places.ts';
import { copyCheckout } from './testing/checkout.ts';
import { NOBODY, newDataDir, nobodyCanRunThis, sql } from './testing/fixtures.ts';
import { startProcess } from './testing/start-process.ts';

test('works if npm has run no install scripts', async () => {
  const { root, lib, embedded } = copyCheckout();
  const one = await startProcess(join(root, 'data'), { checkout: embedded });
  expect(await sql(one, 'SELECT 1')).toEqual([[1]]);
  await one.end();
  expect(readdirSync(lib)).toContain('libpq.so.5');
});

test("works, with a copy, if node_modules lacks links and is another user's", async ({ skip }) => {
  skip(isRoot() && !nobodyCanRunThis(), 'an ordinary user cannot reach this checkout or its Node');
  const { lib, embedded } = copyCheckout();
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  if (isRoot()) chownSync(dataDir, NOBODY.uid, NOBODY.gid);
  else chmodSync(lib, 0o555);
  const user = isRoot() ? NOBODY : undefined;
  const one = await startProcess(dataDir, { checkout: embedded, user });
  expect(await sql(one, 'SELECT 1')).toEqual([[1]]);
  await one.end();
  chmodSync(lib, 0o755);
  expect(readdirSync(lib)).not.toContain('libpq.so.5');
  expect(readdirSync(dataDir)).toContainEqual(expect.stringMatching(/^postgresql-18\..*-\w+$/));
});
