import { once } from 'node:events';
import { PREPARED, startServer } from './server.ts';

/** Prepares the data of a first start, and deletes it after the tests. */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer();
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  process.env[PREPARED] = server.dataDir;
  return server.stop;
}
