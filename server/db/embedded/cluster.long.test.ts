import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { provideBinaries } from './binaries.ts';
import { initialize } from './launch.ts';
import { chooseServerUser } from './places.ts';
import { temporaryFolder } from './testing/fixtures.ts';

test('uses the next locale if the system lacks the first', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'postgres');
  mkdirSync(folder, { mode: 0o700 });
  const user = chooseServerUser(parent, folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const binaries = await provideBinaries(user, () => parent);
  await expect(initialize(folder, binaries, user, ['xx.UTF-8'])).rejects.toThrow(
    `could not be created in ${parent} (invalid locale name "xx.UTF-8"): set DATA_DIR`,
  );
  await initialize(folder, binaries, user, ['xx.UTF-8', 'C']);
  expect(existsSync(join(folder, 'PG_VERSION'))).toBe(true);
});
