import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  test as base,
  expect as baseExpect,
  type Page,
  type WorkerFixture,
} from '@playwright/test';
import type axe from 'axe-core';
import type { Employer } from '#contract/employers/employers.ts';
import { PHONE, type Signup, signIn } from './account.ts';
import { extremes } from './employers.ts';
import { expectLaidOut } from './hydration.ts';
import { newPoster } from './review.ts';
import { preparedDataDir, startServer, type TestServer } from './server.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The rules of axe that depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Of a list's cards, the first ones show what is wrong with all. Most of axe's time is for the others. */
const ALIKE = '.listed-card:nth-child(n + 4)';

interface Fixtures {
  /** Signs in on `page`, without using the screen, and opens a page. */
  signedIn: (email: string, path?: string) => Promise<void>;
  /** A page of another browser, like another device. */
  elsewhere: Page;
  /** A new verified doctor without reviews, signed in on `page`. */
  doctor: Signup;
  /** The employer with the most reviews. */
  most: Employer;
}

/**
 * A server per worker. A file that overrides `server` with its own call shares its server with no
 * other file, because Playwright tells fixtures apart by their function.
 */
export const ownServer = (
  env: Record<string, string> = {},
): [WorkerFixture<TestServer, object>, { scope: 'worker'; timeout: number }] => [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern.
  async ({}, use) => {
    const server = await startServer({ dataDir: await preparedDataDir(), env });
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
  signedIn: ({ page, server }, use) => use((...who) => signIn(page, server, ...who)),
  elsewhere: async ({ browser, server }, use) => {
    const context = await browser.newContext({ baseURL: server.url });
    await use(await context.newPage());
    await context.close();
  },
  doctor: async ({ server, signedIn }, use) => {
    const doctor = await newPoster(server);
    await signedIn(doctor.email);
    await use(doctor);
  },
  most: async ({ server }, use) => use((await extremes(server)).most),
});

/** Of a test that takes long and rarely fails. `npm run test:all` runs it. */
export const LONG = { tag: '@long' };

/** Anything that needs script visibly fails. */
export const withoutScript = test.extend({ javaScriptEnabled: false });

/** With touch. */
export const ON_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true };
export const onPhone = test.extend(ON_PHONE);

export const expect = baseExpect.extend({
  /** Fails if axe finds a problem on the page, in these color schemes. */
  async toBeAccessible(page: Page, ...themes: ('light' | 'dark')[]) {
    await expectLaidOut(page);
    const found: string[] = [];
    for (const [index, colorScheme] of (themes.length > 0 ? themes : [null]).entries()) {
      if (colorScheme) await page.emulateMedia({ colorScheme });
      // Its source takes longer to read than most pages take to check.
      if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
      const options: axe.RunOptions = {
        resultTypes: ['violations'],
        // By default, it also fetches all styles, for rules that are off.
        preload: { assets: ['media'] },
        // Themes differ only in their colors.
        ...(index > 0 && { runOnly: COLOR_RULES }),
      };
      const violations = await page.evaluate(
        async ({ exclude, options }) =>
          (await (window as unknown as { axe: typeof axe }).axe.run({ exclude }, options))
            .violations,
        { exclude: [ALIKE], options },
      );
      for (const { id, nodes } of violations) {
        found.push(...nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
      }
    }
    return { pass: found.length === 0, message: () => found.join('\n') };
  },
});

/** A test with a server of its own, for a file that would disturb the tests of others. */
export const testApart = (env: Record<string, string> = {}) =>
  test.extend<object, { server: TestServer }>({ server: ownServer(env) });

/** A server of the files whose decisions in the office of one would affect other tests. */
export const officeTest = testApart();

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
