import type { Page } from '@playwright/test';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, logIn, PHONE } from './account.ts';
import { compare, list, namesOf } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { openForm } from './review.ts';

/** Fills the browser's storage to the last character. */
const fillStorage = (page: Page) =>
  page.evaluate(() => {
    for (let length = 2 ** 20; length >= 1; length /= 2)
      for (let piece = 0; ; piece += 1)
        try {
          localStorage.setItem(`filler-${length}-${piece}`, 'x'.repeat(length));
        } catch {
          break;
        }
  });

const freeStorage = (page: Page) =>
  page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('filler-')) localStorage.removeItem(key);
  });

test.use({ viewport: PHONE });

test('with full storage, saving and comparing say so', async ({ page, most }) => {
  const name = titleCase(most.name);
  await openLive(page, paths.employer(most.id));
  await fillStorage(page);
  const save = page.getByRole('button', { name: `Save ${name}`, exact: true });
  await save.click();
  const alert = page.getByRole('alert').filter({ hasText: 'Not saved' });
  await expect(alert).toContainText('Log in to save it to your account.');
  await expect(save).toHaveAttribute('aria-pressed', 'false');
  await compare(page, name).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not added' })).toBeVisible();
  await expect(page).toBeAccessible();
  await freeStorage(page);
  await save.click();
  await expect(save).toHaveAttribute('aria-pressed', 'true');
  await compare(page, name).click();
  await expect(compare(page, name)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('alert').filter({ hasText: 'storage is full' })).toHaveCount(0);
});

test('with full storage, a note stays until it can be saved', async ({ page, server }) => {
  const { results } = await list(server, { page_size: 2 });
  const [name = ''] = namesOf(results);
  await openLive(page, paths.compare(results.map(({ id }) => id)));
  await fillStorage(page);
  const note = page.getByRole('textbox', { name: `Your note on ${name}` });
  await note.pressSequentially('Ask about call');
  await expect(note).toHaveValue('Ask about call');
  await expect(note).toHaveAccessibleDescription(/storage is full/);
  await expect(page).toBeAccessible();
  await freeStorage(page);
  await note.press('End');
  await note.pressSequentially('!');
  await expect(note).toHaveAccessibleDescription('');
  await page.reload();
  await expect(note).toHaveValue('Ask about call!');
});

test('with full storage, a review can be typed, but its draft is not saved', async ({
  page,
  server,
}) => {
  await openForm(page, server);
  await fillStorage(page);
  const summary = page.getByLabel('Review Summary *');
  await summary.pressSequentially('Long nights.');
  await expect(summary).toHaveValue('Long nights.');
  const warning = page.getByRole('alert').filter({ hasText: 'Your draft is not saved' });
  await expect(warning).toBeVisible();
  await freeStorage(page);
  await summary.pressSequentially(' Good company.');
  await expect(warning).toHaveCount(0);
});

test('with full storage, the login works and lasts as long as the page', async ({ page }) => {
  await openLive(page, paths.login());
  await fillStorage(page);
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(paths.dashboard());
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
});
