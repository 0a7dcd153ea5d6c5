import type { Page } from '@playwright/test';
import type { Employer } from '#contract/employers/employers.ts';
import { plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { PHONE, sure } from './account.ts';
import { compare, extremes, list, namesOf, SIZES, unchanged } from './employers.ts';
import { expect, LONG, onPhone, test, withoutScript } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { shiftsOf } from './layout-shift.ts';
import { atSizes, sideways } from './widths.ts';

const tray = (page: Page) => page.getByRole('complementary', { name: 'Employers to compare' });
/** The cell in a row for an employer. */
function cells(page: Page, row: string, shown: readonly Employer[], employer: Employer) {
  const name = new RegExp(`^${row}`);
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) })
    .getByRole('cell')
    .filter({ visible: true })
    .nth(shown.indexOf(employer));
}

/** Puts employers into the tray of every page that is opened from now on. */
const shortlist = (page: Page, chosen: { id: number; name: string }[]) =>
  page.addInitScript(
    (entries) => localStorage.setItem('compare_shortlist', JSON.stringify(entries)),
    chosen,
  );

test('builds a shortlist that all tabs share', async ({ page, server, context }) => {
  // Few cards, so that axe has less to check.
  const few = { state: 'TX' };
  const { results } = await list(server, few);
  const [first = '', second = '', third = ''] = namesOf(results);
  await openLive(page, paths.employers(few));
  await expect(tray(page)).toBeHidden();
  await compare(page, first).click();
  await expect(compare(page, first)).toHaveAttribute('aria-pressed', 'true');
  await expect(tray(page)).toContainText('1 of 4 chosen');
  await expect(tray(page)).toContainText('Add one more');

  const other = await context.newPage();
  await openLive(other, paths.employer(results[1]?.id ?? 0));
  await compare(other, second).click();
  await expect(tray(page)).toContainText('2 of 4 chosen');
  await expect(compare(page, second)).toHaveAttribute('aria-pressed', 'true');
  await compare(page, third).click();
  await expect(tray(other)).toContainText(third);
  await other.close();

  await expect(page).toBeAccessible();
  await tray(page)
    .getByRole('button', { name: `Remove ${third}` })
    .click();
  await expect(compare(page, third)).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(tray(page)).toContainText('2 of 4 chosen');
  await tray(page).getByRole('link', { name: 'Compare these 2 employers' }).click();
  await expect(page).toHaveURL(paths.compare(results.slice(0, 2).map(({ id }) => id)));
  await expect(page.getByRole('columnheader')).toContainText([first, second]);
  await page.goBack();
  await tray(page).getByRole('button', { name: 'Clear' }).click();
  await expect(tray(page)).toBeHidden();
});

test('allows at most four', async ({ page, server }) => {
  const names = namesOf((await list(server)).results);
  await openLive(page, paths.employers());
  for (const name of names.slice(0, 4)) await compare(page, name).click();
  await expect(tray(page)).toContainText('4 of 4 chosen');
  await expect(compare(page, names[4] ?? '')).toBeDisabled();
  await compare(page, names[0] ?? '').click();
  await expect(compare(page, names[4] ?? '')).toBeEnabled();
});

test('shows them side by side, two on a phone, and removes one', async ({ page, server }) => {
  const { most, none } = await extremes(server);
  const rest = (await unchanged(server)).slice(1);
  const best = sure(rest.find(({ total_reviews }) => total_reviews >= 3));
  await openLive(page, paths.compare([most.id, best.id, none.id]));
  await follow(page, `Remove ${namesOf([best])[0]}`, paths.compare([most.id, none.id]));
  await expect(page.getByRole('columnheader')).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole('columnheader')).toHaveCount(3);
  await atSizes(page, SIZES.toReversed(), async ({ width }) => {
    if (width < 768) {
      const choice = page.getByRole('group', { name: 'Two of 3 side by side' });
      await choice.getByRole('button', { name: namesOf([none])[0] ?? '' }).click();
      await choice.getByRole('button', { name: namesOf([best])[0] ?? '' }).click();
      await expect(page.getByRole('columnheader')).toContainText(namesOf([best, none]));
    }
    const cellOf = (name: string, employer: Employer) =>
      cells(page, name, width < 768 ? [best, none] : [most, best, none], employer);
    const overall = cellOf('Overall rating', best);
    await expect(overall).toContainText(best.overall_rating?.toFixed(1) ?? '');
    await expect(cellOf('Reviews', best)).toContainText(plural(best.total_reviews, 'review'));
    await expect(cellOf('Reviews', best)).toContainText(/newest \w{3} \d{1,2}, \d{4}/);
    await expect(cellOf('Reviews', none)).toHaveText('No reviews yet');
    await expect(cellOf('Overall rating', none)).toHaveText(/Unknown$/);
    await expect(cellOf('Would recommend', best)).toContainText('%');
    for (const name of ['Beds', 'Trauma level', 'Ownership'])
      await expect(cellOf(name, best)).toBeVisible();
    expect(await sideways(page)).toBe(0);
  });
  // On a phone. The desktop's table is checked in compare-sheet.long.spec.ts.
  await expect(page).toBeAccessible('light', 'dark');
});

test('without employers in the address, compares those in the tray', async ({ page, server }) => {
  const { most: a, none: b } = await extremes(server);
  const [first = '', second = ''] = namesOf([a, b]);
  await shortlist(page, [
    { id: a.id, name: first },
    { id: b.id, name: second },
  ]);
  await page.goto(paths.compare());
  await expect(page).toHaveURL(paths.compare([a.id, b.id]));
  await expect(page.getByRole('columnheader')).toContainText([first, second]);
});

test('without reviews, shows the facts first and one line', async ({ page, server }) => {
  const [one, two] = (await unchanged(server)).filter(({ total_reviews }) => total_reviews === 0);
  await openLive(page, paths.compare([sure(one).id, sure(two).id]));
  const rows = page.getByRole('rowheader').filter({ visible: true });
  await expect(rows).toHaveText([
    'Beds',
    'Trauma level',
    'Ownership',
    'Reviews',
    /^Your notes/,
    'Remove',
  ]);
  await expect(page.getByText('No reviews yet')).toHaveCount(2);
});

test('says what it cannot compare', async ({ page, server }) => {
  const { most: a, none: b } = await extremes(server);
  await page.goto(paths.compare());
  await expect(page.getByText('Nothing to compare yet')).toBeVisible();
  await expect(page).toBeAccessible();
  for (const ids of [[a.id], [1, 2, 3, 4, 5]]) {
    const answer = await page.goto(paths.compare(ids));
    expect(answer?.status()).toBe(400);
    await expect(page.getByText('Please choose from 2 to 4 employers')).toBeVisible();
  }
  await page.goto(paths.compare([a.id, 999_999, b.id]));
  await expect(page.getByText('1 employer in this comparison could not be found.')).toBeVisible();
  await expect(page.getByRole('columnheader')).toContainText(namesOf([a, b]));
  const [name = ''] = namesOf([a]);
  await shortlist(page, [{ id: a.id, name }]);
  await page.goto(paths.compare());
  await expect(page.getByText(`Add one more to compare with ${name}`)).toBeVisible();
  await expect(page).toBeAccessible();
});

test('showing the tray does not shift the layout', LONG, async ({ page, most }) => {
  await shortlist(page, [{ id: most.id, name: 'A hospital' }]);
  for (const path of [paths.employers(), paths.employer(most.id)]) {
    await page.goto(path);
    await expect(tray(page)).toBeVisible();
    expect(await shiftsOf(page)).toEqual([]);
  }
});

onPhone('on a phone, long names leave the tray on the screen', LONG, async ({ page, most }) => {
  const longName = (id: number) => `${id} Northern Minnesota Regional Academic Medical Center`;
  await shortlist(
    page,
    [1, 2, 3].map((id) => ({ id, name: longName(id) })),
  );
  for (const path of [paths.employers({ state: 'TX' }), paths.employer(most.id)]) {
    await openLive(page, path);
    for (const count of [3, 2]) {
      await expect(tray(page)).toContainText(`${count} of 4 chosen`);
      expect([path, await sideways(page)]).toEqual([path, 0]);
      for (const bar of [tray(page), page.getByRole('navigation', { name: 'Tabs' })])
        await expect(bar).toBeInViewport({ ratio: 1 });
      if (count === 3)
        await tray(page)
          .getByRole('button', { name: `Remove ${longName(3)}` })
          .tap();
    }
  }
  await expect(page).toBeAccessible();
});

withoutScript('without script, a shared comparison can be scrolled', async ({ page, server }) => {
  const chosen = (await list(server)).results.slice(0, 3);
  await page.goto(paths.compare(chosen.map(({ id }) => id)));
  await expect(page.getByRole('columnheader')).toContainText(namesOf(chosen));
  await expect(page.getByRole('rowheader', { name: /^Overall rating/ })).toBeVisible();
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('columnheader').filter({ visible: true })).toHaveCount(3);
  expect(await sideways(page)).toBe(0);
});
