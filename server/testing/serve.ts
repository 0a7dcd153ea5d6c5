/** A server with simple pages, for tests that need it as a separate process. */
import { loadConfig, takeSettings } from '#server/config/config.ts';
import { runServer } from '#server/start.ts';
import { pagesOf } from './page-source.ts';

const settings = takeSettings();
await runServer(() => loadConfig(settings), pagesOf());
