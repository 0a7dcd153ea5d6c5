/** A server without caches: `cold-server.ts DATABASE_URL`. */
import type { AddressInfo } from 'node:net';
import { buildColdApp } from './cold-app.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const { app, close } = await buildColdApp(databaseUrl);
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.address() as AddressInfo).port);
process.on('SIGTERM', async () => {
  await close();
  process.exit(0);
});
