import { test as base, expect } from '@playwright/test';
import { ownServer } from '../fixtures.ts';
import type { TestServer } from '../server.ts';
import type { Engine, Visitor } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { COUNT_REQUESTS, Page } from './page.ts';
import { startWebKit } from './webkit.ts';

export interface EngineOptions {
  engineName: 'firefox' | 'webkit';
}

interface Fixtures {
  /** Runs in each page before the page's own scripts. */
  script: string;
  visitor: Visitor;
  newPage: () => Promise<Page>;
  /** A page of the engine, in place of Playwright's. */
  tab: Page;
}

export const test = base.extend<Fixtures, EngineOptions & { server: TestServer; engine: Engine }>({
  engineName: ['firefox', { option: true, scope: 'worker' }],
  server: ownServer(),
  engine: [
    async ({ engineName }, use) => {
      const engine = await (engineName === 'firefox' ? startFirefox() : startWebKit());
      await use(engine);
      await engine.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  script: ['', { option: true }],
  visitor: async ({ engine, script }, use) => {
    const visitor = await engine.newVisitor(COUNT_REQUESTS + script);
    await use(visitor);
    await visitor.close();
    expect(visitor.noise, 'the console must stay silent').toEqual([]);
  },
  newPage: ({ visitor, server }, use) =>
    use(async () => new Page(await visitor.newTab(), server.url)),
  tab: async ({ newPage }, use, info) => {
    const tab = await newPage();
    await use(tab);
    if (info.status === info.expectedStatus) return;
    await info.attach('error-context', { body: await tab.run(() => document.body.textContent) });
    await info.attach('screenshot', { body: await tab.screenshot(), contentType: 'image/png' });
  },
});
