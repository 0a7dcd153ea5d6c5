import { OLD_BROWSER_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

const LINE =
  'This browser is too old to sign in. Safari 16.4, Firefox 115, Chrome 111, Edge 111, and newer can.';

test('a browser that cannot read the scripts says so, and which browsers can', async ({ page }) => {
  await page.clock.install();
  await page.route('**/assets/*.js', (route) => route.abort());
  for (const path of [paths.login(), paths.home()]) {
    await page.goto(path);
    await page.clock.runFor(OLD_BROWSER_MS);
    await expect(page.getByText(LINE)).toBeVisible();
  }
  await expect(page).toBeAccessible('light', 'dark');
});

test('other browsers are not called old', async ({ page }) => {
  await page.clock.install();
  await openLive(page, paths.login());
  await page.clock.runFor(2 * OLD_BROWSER_MS);
  await expect(page.getByText('too old')).toHaveCount(0);
});
