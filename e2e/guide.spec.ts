import type { Page } from '@playwright/test';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import { SCREENING_KINDS } from '#contract/reviews/screening.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE } from './account.ts';
import { SIZES } from './employers.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { newReview, openForm } from './review.ts';
import { atSizes, boxOf, enlarge, sideways } from './widths.ts';

const GUIDES = [
  ['How it works', paths.howItWorks()],
  ['Guidelines', paths.guidelines()],
] as const;

const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });

for (const [title, path] of GUIDES) {
  test(`${title}: accessible, fits, and its contents lead everywhere`, LONG, async ({ page }) => {
    await openLive(page, path, DESKTOP);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page).toBeAccessible('light', 'dark');

    const sections = page.getByRole('main').getByRole('region');
    const links = await contents(page).getByRole('link').all();
    expect(links.length).toBe(await sections.count());
    await atSizes(page, SIZES, async () => {
      expect(await sideways(page)).toBe(0);
      for (const [place, link] of links.entries()) {
        await link.click();
        const heading = sections.nth(place).getByRole('heading', { level: 2 });
        await expect(heading).toBeInViewport();
        expect(await link.textContent()).toContain(await heading.textContent());
      }
    });

    await page.setViewportSize(PHONE);
    await enlarge(page);
    const widest = await page.getByRole('main').evaluate((main) => main.scrollWidth);
    expect(widest).toBeLessThanOrEqual(PHONE.width);

    await page.emulateMedia({ media: 'print' });
    await expect(contents(page)).toBeHidden();
    for (const section of await sections.all()) await expect(section).toBeVisible();
  });
}

test('on a phone, every summary comes before the contents', LONG, async ({ page }) => {
  await page.setViewportSize(PHONE);
  for (const path of [
    ...GUIDES.map(([, guide]) => guide),
    ...[paths.terms(), paths.privacy(), paths.transparency()],
  ]) {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    const summary = await boxOf(page.getByText(/^In short: /));
    expect(summary.bottom, path).toBeLessThan((await boxOf(contents(page))).y);
  }
});

test('How it works starts with who could learn what, in four rows', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto(paths.howItWorks());
  const table = page.getByRole('table', { name: 'Who could learn what about an author' });
  const heads = await table.getByRole('columnheader').allTextContents();
  expect(heads).toEqual(['Who', 'Could learn', 'Could not']);
  const rows = await table.getByRole('rowheader').allTextContents();
  expect(rows).toHaveLength(4);
  expect(rows.indexOf('Your employer')).toBeLessThan(rows.indexOf('A thief with our database'));
  await expect(table).toBeInViewport();
  const sections = page.getByRole('main').getByRole('region');
  const titles = await sections.getByRole('heading', { level: 2 }).allTextContents();
  const place = (text: string) => titles.findIndex((title) => title.includes(text));
  expect(place('What an employer can learn')).toBeLessThan(place('What a thief would learn'));
});

test('the landing page and the footer link to both', async ({ page }) => {
  await openLive(page, paths.home());
  const main = page.getByRole('main');
  const footer = page.getByRole('navigation', { name: 'Support' });
  const intoMain = main.getByRole('link', { name: 'How it works' });
  const intoFooter = footer.getByRole('link', { name: 'Guidelines' });
  await atSizes(page, [DESKTOP, PHONE], async () => {
    for (const [link, path] of [
      [intoMain, paths.howItWorks()],
      [main.getByRole('link', { name: 'how reviews stay anonymous' }), paths.howItWorks()],
      [main.getByRole('link', { name: 'guidelines' }), paths.guidelines()],
      [footer.getByRole('link', { name: 'How it works' }), paths.howItWorks()],
      [intoFooter, paths.guidelines()],
    ] as const) {
      await expect(link).toBeVisible();
      const href = await link.getAttribute('href');
      expect(href?.replace(/#.*/, '')).toBe(path);
    }
  });
  await intoMain.click();
  await expect(page.getByRole('heading', { level: 1, name: 'How it works' })).toBeInViewport();
  await intoFooter.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Guidelines' })).toBeInViewport();
  const items = main.getByRole('listitem');
  for (const text of [...Object.values(SCREENING_KINDS), ...Object.values(REPORT_REASONS)])
    await expect(items.filter({ hasText: text }).first()).toBeVisible();
});

test('the form and the report dialog open them in a tab', async ({ page, server, signedIn }) => {
  await page.setViewportSize(PHONE);
  await openForm(page, server);
  const summary = page.getByLabel('Review Summary *');
  await summary.fill('Good teaching.');
  await opens(page.getByRole('main'));
  await expect(summary).toHaveValue('Good teaching.');

  await signedIn(DEMO.pending);
  await openLive(page, paths.review((await newReview(server)).id));
  const report = page.getByRole('article').getByRole('button', { name: /^Report/ });
  await report.click();
  const dialog = page.getByRole('dialog', { name: 'Report this review' });
  const note = dialog.getByLabel('Note (optional)');
  await note.fill('Not a review.');
  await opens(dialog);
  await expect(note).toHaveValue('Not a review.');

  async function opens(scope: typeof dialog) {
    for (const [title] of GUIDES) {
      const opened = page.waitForEvent('popup');
      await scope.getByRole('link', { name: `${title} (opens in a new tab)` }).click();
      const tab = await opened;
      await expect(tab.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await tab.close();
    }
  }
});

withoutScript('without script, both pages can be read', async ({ page }) => {
  for (const [title, path] of GUIDES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await contents(page).getByRole('link').last().click();
    await expect(page.getByRole('main').getByRole('region').last()).toBeInViewport();
  }
});
