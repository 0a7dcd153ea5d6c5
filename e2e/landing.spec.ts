import type { Locator } from '@playwright/test';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import { PHONE } from './account.ts';
import { list } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { sideways } from './widths.ts';

test('heading names do not include their note markers, and the claims match what a stolen copy of the database would bear out', async ({
  page,
}) => {
  await openLive(page, paths.home());
  const claims = page.getByRole('region', { name: 'Why doctors can speak here' });
  for (const title of ['Posted anonymously', 'Practitioners only'])
    await expect(claims.getByRole('heading', { name: title, exact: true })).toBeVisible();
  const claim =
    'A stolen copy of our database would name no author, though it would show which reviews share one.';
  await expect(claims).toContainText(claim);
  await follow(claims, 'Note 1', /#note-1$/);
});

test('numbers and two employers side by side, as links, on 4,000 px', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await page.goto(paths.home());
  const { results, count } = await list(server, { ordering: '-total_reviews', page_size: 2 });
  const table = page.getByRole('table', { name: 'The two employers with the most reviews' });
  const live = page.getByRole('region').filter({ has: table });
  await expect(live.getByRole('heading')).toContainText(`, ${count} employers`);
  for (const { id, name, overall_rating } of results) {
    const head = table.getByRole('columnheader').filter({ hasText: titleCase(name) });
    await expect(head.getByRole('link')).toHaveAttribute('href', paths.employer(id));
    await expect(table.getByRole('row', { name: /^Overall/ })).toContainText(
      String(overall_rating?.toFixed(1)),
    );
  }
  await expect(live.getByRole('link', { name: 'Compare them in full' })).toHaveAttribute(
    'href',
    paths.compare(results.map(({ id }) => id)),
  );
  await expect(live.getByRole('button')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(
    4000,
  );
  expect(await sideways(page)).toBe(0);
  await expect(page).toBeAccessible('light', 'dark');
});

/** Waits until a slide has come to rest: a key in the last moment before would lead to the same one. */
const expectAtRest = (carousel: Locator, slide: number) =>
  expect
    .poll(() =>
      carousel.getByRole('list').evaluate((row, place) => {
        const { width } = row.children[place]?.getBoundingClientRect() ?? { width: 0 };
        return Math.abs(row.scrollLeft - place * width);
      }, slide),
    )
    .toBeLessThan(1);

test('a click while a slide settles is not lost', async ({ page }) => {
  await openLive(page, paths.home(), PHONE);
  const carousel = page.getByRole('region', { name: 'Sample reviews' });
  // With the focus inside, no timer moves it.
  await carousel.getByRole('list').focus();
  // Smooth scrolling takes time.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await carousel.getByRole('button', { name: 'Pause' }).click();
  await expect(carousel).toContainText('1 of 4');
  // An earlier scroll reports its end just after the click, before the row has moved.
  await carousel.evaluate((section) => {
    section.querySelector<HTMLElement>('[aria-label="Next review"]')?.click();
    section.querySelector('ul')?.dispatchEvent(new Event('scrollend'));
  });
  await expect(carousel).toContainText('2 of 4');
  await expectAtRest(carousel, 1);

  // The arrow keys scroll the row natively, and the counter follows.
  await carousel.getByRole('list').press('ArrowRight');
  await expect(carousel).toContainText('3 of 4');
});

test('the carousel follows a reader without an event for a scroll’s end', async ({ page }) => {
  await page.addInitScript(() => {
    for (const owner of [window, Document.prototype, HTMLElement.prototype])
      delete (owner as Partial<GlobalEventHandlers>).onscrollend;
    addEventListener('scrollend', (event) => event.stopImmediatePropagation(), true);
  });
  await openLive(page, paths.home());
  const carousel = page.getByRole('region', { name: 'Sample reviews' });
  await carousel.getByRole('list').press('ArrowRight');
  await expect(carousel).toContainText('2 of 4');
  await expectAtRest(carousel, 1);
  await carousel.getByRole('list').press('ArrowRight');
  await expect(carousel).toContainText('3 of 4');
  await expectAtRest(carousel, 2);
  await carousel.getByRole('button', { name: 'Next review' }).click();
  await expect(carousel).toContainText('4 of 4');
});
