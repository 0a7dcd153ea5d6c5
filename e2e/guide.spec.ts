import type { Page } from '@playwright/test';
import { REPORT_REASONS } from '#contract/review-feedback.ts';
import { SCREENING_KINDS } from '#contract/screening.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, signIn } from './account.ts';
import { SIZES, WITHOUT_SCRIPT } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { anEmployer, openForm, postReview, reviewOf } from './review.ts';
import { sideways } from './widths.ts';

const GUIDES = [
  ['How it works', paths.howItWorks()],
  ['Guidelines', paths.guidelines()],
] as const;

const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });

for (const [title, path] of GUIDES) {
  for (const viewport of SIZES) {
    test(`${title} at ${viewport.width} px`, async ({ page, expectAccessible }) => {
      test.slow();
      await page.setViewportSize(viewport);
      await openLive(page, path);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible();
      }
      expect(await sideways(page)).toBe(0);

      // Each entry of the table of contents leads to its section.
      const sections = page.getByRole('main').getByRole('region');
      const links = await contents(page).getByRole('link').all();
      expect(links.length).toBe(await sections.count());
      for (const [place, link] of links.entries()) {
        await link.click();
        const heading = sections.nth(place).getByRole('heading', { level: 2 });
        await expect(heading).toBeInViewport();
        expect(await link.textContent()).toContain(await heading.textContent());
      }
    });
  }

  test(`${title} with text at 200 % on a phone`, async ({ page }) => {
    await page.setViewportSize(PHONE);
    await openLive(page, path);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const widest = await page.getByRole('main').evaluate((main) => main.scrollWidth);
    expect(widest).toBeLessThanOrEqual(PHONE.width);
  });

  test(`${title} prints its text, without the table of contents`, async ({ page }) => {
    await openLive(page, path);
    await page.emulateMedia({ media: 'print' });
    await expect(contents(page)).toBeHidden();
    const sections = page.getByRole('main').getByRole('region');
    for (const section of await sections.all()) await expect(section).toBeVisible();
  });
}

test('the guidelines list what screening rejects and the reasons for a report', async ({
  page,
}) => {
  await page.goto(paths.guidelines());
  const items = page.getByRole('main').getByRole('listitem');
  for (const text of [...Object.values(SCREENING_KINDS), ...Object.values(REPORT_REASONS)]) {
    await expect(items.filter({ hasText: text }).first()).toBeVisible();
  }
});

for (const viewport of [PHONE, DESKTOP]) {
  test(`the landing page and the footer link to both at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const main = page.getByRole('main');
    const footer = page.getByRole('navigation', { name: 'Support' });
    const links = [
      [main.getByRole('link', { name: 'How it works' }), 'How it works'],
      [main.getByRole('link', { name: 'how reviews stay anonymous' }), 'How it works'],
      [main.getByRole('link', { name: 'guidelines' }), 'Guidelines'],
      [footer.getByRole('link', { name: 'How it works' }), 'How it works'],
      [footer.getByRole('link', { name: 'Guidelines' }), 'Guidelines'],
    ] as const;
    for (const [link, title] of links) {
      await openLive(page, paths.home());
      await link.click();
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    }
  });

  test(`the form and the report dialog open them in a new tab at ${viewport.width} px`, async ({
    page,
    server,
    context,
  }) => {
    test.slow();
    await page.setViewportSize(viewport);
    await openForm(page, server);
    const summary = page.getByLabel('Review Summary *');
    await summary.fill('Good teaching.');
    await opens(page.getByRole('main'));
    await expect(summary).toHaveValue('Good teaching.');

    await signIn(page, server, DEMO.pending);
    const review = await postReview(server, DEMO.doctor, reviewOf(await anEmployer(server)));
    await openLive(page, paths.review(review.id));
    await page
      .getByRole('article')
      .getByRole('button', { name: /^Report/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Report this review' });
    const note = dialog.getByLabel('Note (optional)');
    await note.fill('Not a review.');
    await opens(dialog);
    await expect(note).toHaveValue('Not a review.');

    async function opens(scope: typeof dialog) {
      for (const [title] of GUIDES) {
        const opened = context.waitForEvent('page');
        await scope.getByRole('link', { name: `${title} (opens in a new tab)` }).click();
        const tab = await opened;
        await expect(tab.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await tab.close();
      }
    }
  });
}

test.describe('without script', () => {
  test.use(WITHOUT_SCRIPT);

  test('both pages can be read', async ({ page }) => {
    for (const [title, path] of GUIDES) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await contents(page).getByRole('link').last().click();
      await expect(page.getByRole('main').getByRole('region').last()).toBeInViewport();
    }
  });
});
