import { expect, type Locator, type Page } from '@playwright/test';
import { expectLaidOut } from './hydration.ts';

/** Widths at which no page may scroll sideways: name, pixels, and whether the text is at 200%. */
export const WIDTHS = [
  ['375 px', 375, false],
  ['320 px', 320, false],
  ['375 px with text at 200%', 375, true],
  ['320 px with text at 200%', 320, true],
  ['1280 px with text at 200%', 1280, true],
] as const;

/** Sets the browser's text size. Media queries in rem follow it. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const fontSizes = { standard: 0.16 * percent, fixed: 0.13 * percent };
  await session.send('Page.setFontSizes', { fontSizes });
  await expect(page.locator('html')).toHaveCSS('font-size', `${fontSizes.standard}px`);
}

export const doubleText = (page: Page) => setTextSize(page, 200);

/** Enlarges only the page. Media queries still see a phone. */
export const enlarge = (page: Page, percent = 200) =>
  page.evaluate(
    (size) => document.documentElement.style.setProperty('font-size', size),
    `${percent}%`,
  );

/** Where a shown element is. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('not shown');
  return { ...box, bottom: box.y + box.height, middle: box.y + box.height / 2 };
}

/** How far the page or an open dialog scrolls sideways. */
export async function sideways(page: Page): Promise<number> {
  await expectLaidOut(page);
  return page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('dialog[open]')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  );
}

/** Checks an open page at several sizes, without loading it again. */
export async function atSizes(
  page: Page,
  sizes: readonly { width: number; height: number }[],
  check: (size: { width: number; height: number }) => Promise<void>,
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await check(size);
  }
}
