import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { hold } from './account.ts';
import { expect, test } from './fixtures.ts';
import { expectLaidOut, openLive } from './hydration.ts';

test.use({ viewport: { width: 375, height: 667 } });

/** The number of listed cards, and how many of them are laid out. */
const laidOut = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => ({
    cards: cards.length,
    laidOut: cards.filter((card) => card.checkVisibility({ contentVisibilityAuto: true })).length,
  }));

/** Notes in the title of `<html>` how many cards the first paint lays out. */
const noteFirstPaint = (page: Page) =>
  page.addInitScript(() => {
    const count = () => {
      // Frames before the end of the document paint nothing.
      if (!document.querySelector('footer')) {
        requestAnimationFrame(count);
        return;
      }
      const cards = [...document.querySelectorAll('article')];
      const isLaidOut = (card: Element) => card.checkVisibility({ contentVisibilityAuto: true });
      document.documentElement.title = `${cards.filter(isLaidOut).length} of ${cards.length}`;
    };
    requestAnimationFrame(count);
  });

for (const path of [paths.reviews(), paths.employers(), paths.employer(1)]) {
  test(`the first paint of ${path} leaves out cards below, which follow before the page's scripts`, async ({
    page,
  }) => {
    const { release } = await hold(page, '**/assets/*.js');
    await noteFirstPaint(page);
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await expect(page.locator('html')).toHaveAttribute('title', /^\d of \d\d$/);
    await expectLaidOut(page);
    const { cards, laidOut: done } = await laidOut(page);
    expect(done).toBe(cards);
    release();
  });
}

test('a list that opens after another page lays out all its cards at once, and so does a reload, which scrolls to where the reader was', async ({
  page,
}) => {
  await openLive(page, paths.guidelines());
  const footer = page.getByRole('navigation', { name: 'Platform' });
  await footer.getByRole('link', { name: 'Browse reviews' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(await laidOut(page)).toEqual({ cards: 20, laidOut: 20 });
  await hold(page, '**/assets/*.js');
  await page.reload({ waitUntil: 'domcontentloaded' });
  expect(await laidOut(page)).toEqual({ cards: 20, laidOut: 20 });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

for (const place of ['#footer', '#:~:text=Reviews%20by']) {
  test(`a page opened at ${place} lays out all its cards at once`, async ({ page }) => {
    const { release } = await hold(page, '**/assets/*.js');
    await noteFirstPaint(page);
    await page.goto(paths.reviews() + place, { waitUntil: 'domcontentloaded' });
    await expect(page.locator('html')).toHaveAttribute('title', '20 of 20');
    release();
  });
}
