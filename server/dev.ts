import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import { createServer } from 'vite';
import { ConfigError, loadConfig, takeSettings, withFreePort } from './config/config.ts';
import type { PageSource } from './pages/pages.ts';
import { runServer } from './start.ts';

const settings = await withFreePort(takeSettings());
/** Otherwise Vite would serve the whole checkout, including the keys in DATA_DIR. */
const SERVED = ['web', 'contract', 'node_modules', 'public', '.react-router'];
const vite = await createServer({
  server: { middlewareMode: true, fs: { allow: SERVED } },
  appType: 'custom',
});

/** Serves pages from their sources through Vite. */
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

function loadDevConfig() {
  const config = loadConfig(settings);
  if (config.devPort === null) return config;
  throw new ConfigError(['DEMO_ON_NETWORK: npm run dev serves source files: use npm start']);
}

await runServer(loadDevConfig, hotPages, { afterwards: () => vite.close() });
