import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

/** Chromium writes each page of a PDF as a separate object. */
const pagesOf = async (page: Page) =>
  (await page.pdf({ format: 'Letter' })).toString('latin1').match(/\/Type \/Page\b/g)?.length;

test('an employer is printed with stars, no controls, on few pages', async ({ page, most }) => {
  await openLive(page, paths.employer(most.id));
  const compare = page.getByRole('main').getByRole('button', { name: /^Compare/ });
  await compare.click();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

  for (const bar of ['Main', 'Tabs', 'Platform', 'Support'])
    await expect(page.getByRole('navigation', { name: bar })).toBeHidden();
  await expect(page.getByRole('complementary')).toBeHidden();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
  for (const role of ['button', 'combobox'] as const)
    await expect(main.getByRole(role)).toHaveCount(0);
  await expect(main.getByRole('link', { name: /^(Helpful|Not helpful|Write)/ })).toHaveCount(0);
  await expect(main.getByRole('img', { name: /out of 5 stars/ }).first()).toBeVisible();
  const adjusts = await main
    .getByRole('img', { name: /out of 5 stars/ })
    .first()
    .evaluate((stars) => getComputedStyle(stars, '::after').getPropertyValue('print-color-adjust'));
  expect(adjusts).toBe('exact');
  await expect(main.getByRole('article').first()).toHaveCSS('break-inside', 'avoid');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByRole('navigation', { name: 'What comes up' })).toBeVisible();
  const day = await page.evaluate(() =>
    new Date().toLocaleDateString('en-US', { dateStyle: 'medium' }),
  );
  const from = `Curbside · ${page.url()} · ${day}`;
  await expect(page.locator(`[data-from="${from}"]`)).toBeVisible();
  expect(await pagesOf(page)).toBeLessThanOrEqual(3);
});

test('the reviews and the landing page are printed without their forms', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await openLive(page, paths.reviews());
  const main = page.getByRole('main');
  await expect(main.getByRole('article').first()).toBeVisible();
  await expect(main.getByLabel('Search by employer')).toBeHidden();
  for (const role of ['button', 'combobox'] as const)
    await expect(main.getByRole(role)).toHaveCount(0);
  await expect(main.getByRole('link', { name: 'Load more reviews' })).toBeHidden();

  await page.goto(paths.home(), { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByLabel('Find an employer, a specialty, or a position')).toBeHidden();
});
