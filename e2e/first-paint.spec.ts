import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

test.use({ viewport: { width: 375, height: 667 } });

/** Blocks all scripts, so that the page stays as it was in the first paint. */
const holdScripts = (page: Page) => page.route('**/assets/*.js', () => {});
/** Without the scripts, a page never finishes loading. */
const PAINTED = { waitUntil: 'domcontentloaded' } as const;

/** The number of listed cards, and how many of them are laid out. */
const laidOut = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => ({
    cards: cards.length,
    laidOut: cards.filter((card) => card.checkVisibility({ contentVisibilityAuto: true })).length,
  }));

for (const path of [paths.reviews(), paths.employers(), paths.employer(1)]) {
  test(`the first paint of ${path} leaves out cards below the screen`, async ({ page }) => {
    await holdScripts(page);
    await page.goto(path, PAINTED);
    await expect.poll(async () => (await laidOut(page)).laidOut).toBeLessThan(10);
    expect((await laidOut(page)).cards).toBeGreaterThanOrEqual(10);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test(`all cards of ${path} are laid out soon after the first paint`, async ({ page }) => {
    await openLive(page, path);
    await expect.poll(async () => (await laidOut(page)).laidOut).toBeGreaterThanOrEqual(10);
    await expect(page.locator('html')).not.toHaveAttribute('data-first-page');
    const { cards, laidOut: done } = await laidOut(page);
    expect(done).toBe(cards);
  });
}

test('a reload lays out all cards at once, because it scrolls to where the reader was', async ({
  page,
}) => {
  await openLive(page, paths.reviews());
  await holdScripts(page);
  await page.reload(PAINTED);
  const { cards, laidOut: done } = await laidOut(page);
  expect(cards).toBe(20);
  expect(done).toBe(cards);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a list that opens after another page lays out all its cards', async ({ page }) => {
  await openLive(page, paths.guidelines());
  const footer = page.getByRole('navigation', { name: 'Platform' });
  await footer.getByRole('link', { name: 'Browse reviews' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  const { cards, laidOut: done } = await laidOut(page);
  expect(cards).toBe(20);
  expect(done).toBe(cards);
});
