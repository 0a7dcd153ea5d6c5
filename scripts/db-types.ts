/**
 * Writes server/db/types.ts from the schema that the migrations make, on a database of its own.
 * With --verify it changes nothing, and fails when the file is not what it would write.
 */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbedded } from '#server/db/embedded/launch.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const dataDir = await mkdtemp(path.join(tmpdir(), 'curbside-types-'));
// Started by root, the server runs as another user, who must get in.
await chmod(dataDir, 0o755);
const embedded = await startEmbedded({ dataDir });
try {
  const database = openDatabase(embedded.connection, () => {});
  await migrate(database.background.pool);
  await database.close();
  const { host, user, database: name } = embedded.connection;
  execFileSync(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/.bin/kysely-codegen'),
      '--dialect=postgres',
      `--url=postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
      '--date-parser=string',
      '--numeric-parser=number',
      '--include-pattern=public.*',
      `--out-file=${path.join(ROOT, 'server/db/types.ts')}`,
      '--log-level=error',
      ...process.argv.slice(2),
    ],
    { cwd: ROOT, stdio: 'inherit' },
  );
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
