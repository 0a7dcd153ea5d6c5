import { defineConfig } from '@playwright/test';
import type { EngineOptions } from './e2e/engines/fixtures.ts';
import { missingEngines } from './scripts/engines.ts';

const missing = missingEngines();
if (missing) {
  process.stdout.write(`${missing}\n`);
  process.exit(process.env['CI'] ? 1 : 0);
}

/** `npm run test:browsers`: the product's journeys in Firefox and WebKit. */
export default defineConfig<object, EngineOptions>({
  testDir: 'e2e/engines',
  globalSetup: './e2e/global-setup.ts',
  // Each engine is one browser, with one server.
  workers: 2,
  projects: [
    { name: 'Firefox', workers: 1, use: { engineName: 'firefox' } },
    { name: 'WebKit', workers: 1, use: { engineName: 'webkit' } },
  ],
  forbidOnly: !!process.env['CI'],
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
});
