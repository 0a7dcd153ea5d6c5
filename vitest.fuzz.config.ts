import { defineConfig } from 'vitest/config';

/** `npm run test:fuzz`: a separate run, since it can take minutes. */
export default defineConfig({
  test: {
    include: ['server/testing/fuzz/*.fuzz.ts'],
    globalSetup: ['server/testing/global-setup.ts'],
    // The process memory is measured after garbage collections.
    execArgv: ['--expose-gc'],
    // React renders pages as in production.
    env: { NODE_ENV: 'production' },
    testTimeout: 0,
    hookTimeout: 0,
  },
});
