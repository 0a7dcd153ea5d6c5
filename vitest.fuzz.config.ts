import { defineConfig } from 'vitest/config';

/** `npm run test:fuzz`: a run of its own, since it takes minutes when it is asked to. */
export default defineConfig({
  test: {
    include: ['server/testing/fuzz/*.fuzz.ts'],
    globalSetup: ['server/testing/global-setup.ts'],
    // The memory of the process is compared after collections.
    execArgv: ['--expose-gc'],
    // React renders pages as it does for visitors.
    env: { NODE_ENV: 'production' },
    testTimeout: 0,
    hookTimeout: 0,
  },
});
