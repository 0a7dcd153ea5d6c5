import { loadConfig, takeSettings } from './config.ts';

const settings = takeSettings();
// Pages that were built for production run as such, the demo's too: React asks this as it loads, and
// as developing takes twice the time.
process.env['NODE_ENV'] = 'production';
const { productionBuild } = await import('./pages/pages.ts');
const { runServer } = await import('./run.ts');

await runServer(() => loadConfig(settings), productionBuild);
