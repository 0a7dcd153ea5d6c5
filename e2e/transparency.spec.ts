import { paths } from '#web/lib/paths.ts';
import { DESKTOP, PHONE } from './account.ts';
import { expect, test } from './fixtures.ts';

for (const viewport of [PHONE, DESKTOP]) {
  test(`the footer links to the public record, at ${viewport.width} px`, async ({
    page,
    expectAccessible,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto(paths.howItWorks());
    await page.getByRole('contentinfo').getByRole('link', { name: 'Transparency' }).click();
    await expect(page).toHaveURL(paths.transparency());
    await expect(page.getByRole('heading', { level: 1, name: 'Transparency' })).toBeVisible();
    await expect(
      page.getByText('One person currently decides on reviews, including appeals.'),
    ).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible();
    }
  });
}
