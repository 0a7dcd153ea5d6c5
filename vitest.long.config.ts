import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Tests that take long and rarely fail. `npm run test:all` runs them. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['{scripts,server}/**/*.long.test.ts'], exclude: [] },
});
