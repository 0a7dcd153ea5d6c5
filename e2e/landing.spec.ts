import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';

test('the notes are not part of the headings that they belong to', async ({ page }) => {
  await openLive(page, paths.home());
  const claims = page.getByRole('region', { name: 'Why doctors can speak here' });
  for (const title of ['Posted anonymously', 'Practitioners only'])
    await expect(claims.getByRole('heading', { name: title, exact: true })).toBeVisible();
  await claims.getByRole('link', { name: 'Note 1' }).click();
  await expect(page).toHaveURL(/#note-1$/);
});
