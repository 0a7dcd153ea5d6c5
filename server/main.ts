import { loadConfig, takeSettings } from './config.ts';

const settings = takeSettings();
// React reads this when it is loaded. Its development mode takes twice the time.
process.env['NODE_ENV'] = 'production';
const { productionBuild } = await import('./pages/pages.ts');
const { runServer } = await import('./run.ts');

await runServer(() => loadConfig(settings), productionBuild);
