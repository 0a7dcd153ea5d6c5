/**
 * Serves cached responses ahead of Fastify, or in its first hook: `ahead-server.ts DATABASE_URL
 * ahead|hook`.
 */
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compose } from '#server/compose.ts';
import { loadConfig } from '#server/config/config.ts';
import { openDatabase } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { createApp } from '#server/http/create-app.ts';
import { productionBuild } from '#server/pages/pages.ts';
import { settingsFor } from './settings.ts';

const [databaseUrl = '', mode] = process.argv.slice(2);
const config = loadConfig(settingsFor(databaseUrl));
const app = createApp(config);
const listeners = app.server.listeners('request') as RequestListener[];
let cache: Deps['cache'];
if (mode === 'hook') {
  app.addHook('onRequest', (request, reply, done) => {
    const representation = cache.responses
      .find(request.url)
      ?.representation(request.headers['accept-encoding']);
    if (!representation || representation instanceof Promise) return done();
    const { status, headers, body } = representation.replyTo(request.headers['if-none-match']);
    reply.header('x-request-id', request.id);
    reply.code(status).headers(headers).send(body);
  });
}
const database = openDatabase({ connectionString: databaseUrl }, () => {});
const server = await compose({
  app,
  config,
  database,
  clock: () => new Date(),
  mailer: { send: async () => {} },
  npiRegistry: { lookUp: async () => ({ kind: 'unknown' }) },
  pageSource: productionBuild,
});
cache = server.deps.cache;
if (mode === 'hook') {
  app.server.removeAllListeners('request');
  for (const listener of listeners) app.server.on('request', listener);
}
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.address() as AddressInfo).port);
process.on('SIGTERM', async () => {
  await server[Symbol.asyncDispose]();
  await database.close();
  process.exit(0);
});
