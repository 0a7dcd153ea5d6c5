/**
 * Writes server/db/types.ts from the migrated schema of a temporary database. With --verify it only
 * checks that the file is up to date.
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
// If root starts the server, it runs as another user, who needs access.
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
