import puppeteer, { type Page, ProtocolError } from 'puppeteer-core';
import { FIREFOX } from '../../scripts/engines.ts';
import { COMMAND_MS, DriverTimeout, type Engine, LOAD_MS, type Tab, type Theme } from './engine.ts';

/** Firefox, driven over WebDriver BiDi. */
export async function startFirefox(theme: Theme = 'light'): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    protocolTimeout: COMMAND_MS,
    extraPrefsFirefox: {
      // The back/forward cache, which is off under WebDriver.
      'fission.bfcacheInParent': true,
      'ui.prefersReducedMotion': 1,
      // Files without an icon of their own forbid the default one, which Firefox logs.
      'browser.chrome.site_icons': false,
      'layout.css.prefers-color-scheme.content-override': theme === 'dark' ? 0 : 1,
    },
  });
  return {
    async newVisitor(script) {
      const context = await browser.createBrowserContext();
      const noise: string[] = [];
      return {
        noise,
        async newTab() {
          const page = await context.newPage({ type: 'window' });
          page.setDefaultTimeout(LOAD_MS);
          const hear = (text: string) => {
            // Leaving a page stops the downloads of its fonts.
            if (!text.includes('download failed')) noise.push(text);
          };
          page.on('pageerror', (error) => hear(String(error)));
          page.on('console', (message) => {
            if (['error', 'warn'].includes(message.type())) hear(message.text());
          });
          await page.evaluateOnNewDocument(script);
          return tabOf(page);
        },
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

function tabOf(page: Page): Tab {
  return {
    goto: async (url) => void (await answered(`go to ${url}`, page.goto(url))),
    evaluate: (expression) => answered('evaluate', page.evaluate(expression)),
    click: (x, y) => answered('click', page.mouse.click(x, y)),
    type: (text) => answered('type', page.keyboard.type(text)),
    press: (key) => answered(`press ${key}`, page.keyboard.press(key)),
    resize: (size) => answered('resize', page.setViewport(size)),
    screenshot: async () => Buffer.from(await answered('take a screenshot', page.screenshot())),
  };
}

async function answered<T>(command: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isLate = error instanceof ProtocolError && error.message.includes('protocolTimeout');
    throw isLate ? new DriverTimeout('Firefox', command, { cause: error }) : error;
  }
}
