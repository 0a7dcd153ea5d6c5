import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/global-setup.ts'],
    // Two cores are the least a machine has; more workers would only share them.
    maxWorkers: 2,
    testTimeout: 20_000,
    // What is waited for comes; how soon is for the machine. Else it is the test that ends.
    expect: { poll: { timeout: 15_000 } },
    onConsoleLog: () => {
      throw new Error('a test wrote to the console');
    },
  },
});
