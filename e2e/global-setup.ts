import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { PREPARED, startServer } from './server.ts';

/** Prepares the data of a first start, and deletes it after the tests. */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer();
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  // The servers that get a copy need not survive a power failure.
  const settings = path.join(server.dataDir, 'postgres/postgresql.auto.conf');
  await appendFile(settings, 'fsync = off\nfull_page_writes = off\n');
  process.env[PREPARED] = server.dataDir;
  return server.stop;
}
