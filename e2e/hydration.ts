import { expect, type Page } from '@playwright/test';

type Size = Parameters<Page['setViewportSize']>[0];

/**
 * Waits until all cards are laid out. Until then, cards below the screen have estimated heights and
 * no text (web/entry.server.tsx).
 */
export const expectLaidOut = (page: Page) =>
  expect(page.locator('html[data-first-page]')).toHaveCount(0);

/** Runs in the browser. React marks elements earlier, while it is still hydrating the page. */
export const isHydrated = () => !('earlyPresses' in window);

/** Opens a server-rendered page, and waits for hydration and for the layout of all cards. */
export async function openLive(page: Page, path: string, size?: Size): Promise<void> {
  if (size) await page.setViewportSize(size);
  await page.goto(path);
  await page.waitForFunction(isHydrated);
  await expectLaidOut(page);
}
