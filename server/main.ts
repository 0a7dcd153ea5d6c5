import { loadConfig } from './config.ts';
import { productionBuild } from './plugins/pages.ts';
import { runServer } from './run.ts';

await runServer(() => loadConfig(process.env), productionBuild);
