import type { Page } from '@playwright/test';

/** Goes to a page that the server renders, and waits until the script has taken it over. */
export async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => {
    const main = document.getElementById('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__react'));
  });
}
