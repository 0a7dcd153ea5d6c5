import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    // They belong to the long circle (vitest.long.config.ts).
    exclude: ['**/*.long.test.ts'],
    globalSetup: ['server/testing/global-setup.ts'],
    // Files share their worker's modules, server, and database (server/testing/site.ts).
    isolate: false,
    // Transformed modules are kept between runs.
    fsModuleCache: true,
    // Machines have at least two cores. On two cores, more workers would not help.
    maxWorkers: 2,
    // Only a machine with much other work needs more than a tenth of these.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Polls get almost the whole time of a test, so that a slow machine does not fail them.
    expect: { poll: { timeout: 90_000 } },
    onConsoleLog: () => {
      throw new Error('a test wrote to the console');
    },
  },
});
