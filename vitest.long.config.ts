import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Tests that take long and rarely fail. `npm run test:all` runs them. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['{scripts,server}/**/*.long.test.ts'],
    exclude: [],
    // Generous, for a busy machine. On an idle one most take seconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
