import cluster from 'node:cluster';
import { loadConfig, takeSettings } from './config/config.ts';
import { withFreePort } from './free-port.ts';
import { fromPrimary, runWorkers, tellPrimary, workersIn } from './workers.ts';

const { settings, index } = cluster.isWorker
  ? await fromPrimary()
  : { settings: await withFreePort(takeSettings()), index: 0 };
const load = () => loadConfig(settings);
const workers = cluster.isWorker ? 1 : workersIn(load);

if (workers > 1) {
  runWorkers(workers, settings);
} else {
  // React reads this when it is loaded. Its development mode takes twice as long.
  process.env['NODE_ENV'] = 'production';
  const { productionBuild } = await import('./pages/pages.ts');
  const { runServer } = await import('./run.ts');
  await runServer(load, productionBuild, cluster.isWorker ? { announce: tellPrimary, index } : {});
}
