import { expect, type Page } from '@playwright/test';

type Size = Parameters<Page['setViewportSize']>[0];

/**
 * Waits until all cards are laid out. Until then, cards below the screen have estimated heights and
 * no text (web/entry.server.tsx).
 */
export const expectLaidOut = (page: Page) =>
  expect(page.locator('html[data-first-page]')).toHaveCount(0);

/** Opens a server-rendered page, and waits for hydration and for the layout of all cards. */
export async function openLive(page: Page, path: string, size?: Size): Promise<void> {
  if (size) await page.setViewportSize(size);
  await page.goto(path);
  await page.waitForFunction(() => {
    const main = document.getElementById('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__react'));
  });
  await expectLaidOut(page);
}
