import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

test('the footer links to the public record', async ({ page }) => {
  await openLive(page, paths.howItWorks());
  await page.getByRole('contentinfo').getByRole('link', { name: 'Transparency' }).click();
  await expect(page).toHaveURL(paths.transparency());
  await expect(page.getByRole('heading', { level: 1, name: 'Transparency' })).toBeVisible();
  const text = 'One person currently decides on reviews, including appeals.';
  await expect(page.getByText(text)).toBeVisible();
  await expect(page).toBeAccessible('light', 'dark');
});
