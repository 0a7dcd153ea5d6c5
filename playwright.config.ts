import { defineConfig, devices } from '@playwright/test';
import { ensureChromium } from './scripts/chromium.ts';

/** As root, Chromium cannot use its sandbox. The other flags disable background requests. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export default defineConfig({
  testDir: 'e2e',
  // They run in other browsers (playwright.engines.config.ts).
  testIgnore: 'engines/**',
  globalSetup: './e2e/global-setup.ts',
  // Each worker has its own server and database (e2e/fixtures.ts).
  workers: 2,
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  retries: 0,
  // Only a machine with much other work needs more than a tenth of these.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    // Without this, contrast would be measured in the middle of color transitions.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      args: CHROMIUM_FLAGS,
      executablePath: ensureChromium(),
      // In the locale C, Chromium cannot write downloads below a folder with other letters.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
});
