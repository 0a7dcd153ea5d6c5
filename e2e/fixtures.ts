import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page, type WorkerFixture } from '@playwright/test';
import { expectLaidOut } from './hydration.ts';
import { startServer, type TestServer } from './server.ts';

interface Fixtures {
  /** Fails the test if axe finds a problem on the current page. */
  expectAccessible: () => Promise<void>;
}

/**
 * A server per worker. A file that overrides `server` with its own call shares its server with no
 * other file, because Playwright tells fixtures apart by their function.
 */
export const ownServer = (): [
  WorkerFixture<TestServer, object>,
  { scope: 'worker'; timeout: number },
] => [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern.
  async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
  { scope: 'worker', timeout: 90_000 },
];

export const test = base.extend<Fixtures, { server: TestServer }>({
  server: ownServer(),
  baseURL: async ({ server }, use) => use(server.url),
  page: async ({ page }, use) => {
    const noise = listenForNoise(page);
    await use(page);
    expect(noise, 'the console must stay silent').toEqual([]);
  },
  expectAccessible: async ({ page }, use) => {
    await use(async () => {
      await expectLaidOut(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
      );
      expect(found).toEqual([]);
    });
  },
});

/** Collects what a page logs or throws. Failed requests are answers, not noise. */
function listenForNoise(page: Page): string[] {
  const noise: string[] = [];
  page.on('console', (message) => {
    const isNoise = message.type() === 'error' || message.type() === 'warning';
    if (isNoise && !message.text().startsWith('Failed to load resource'))
      noise.push(message.text());
  });
  page.on('pageerror', (error) => noise.push(String(error)));
  return noise;
}

export { expect };
