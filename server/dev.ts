import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import { createServer } from 'vite';
import { loadConfig, takeSettings } from './config.ts';
import type { PageSource } from './plugins/pages.ts';
import { runServer } from './run.ts';

const settings = takeSettings();
const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });

/** The same server, its pages straight from their sources through Vite. */
const hotPages: PageSource = {
  hot: true,
  load: async () =>
    (await vite.ssrLoadModule('virtual:react-router/server-build')) as unknown as ServerBuild,
  async serveFiles(app: FastifyInstance) {
    app.addHook('onRequest', (request, reply, next) => {
      vite.middlewares(request.raw, reply.raw, () => next());
    });
  },
};

await runServer(
  () => loadConfig(settings),
  hotPages,
  () => vite.close(),
);
