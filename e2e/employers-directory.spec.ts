import type { Locator, Page } from '@playwright/test';
import { EMPLOYER_ORDERINGS } from '#contract/employers/employer-choices.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { DIRECTORY_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { call, hold, PHONE, sure } from './account.ts';
import { cardNames, DIRECTORY_CALL, extremes, list, namesOf, SEARCH, SIZES } from './employers.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { expectTexts, expectValues, fill, follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { atSizes, boxOf, sideways } from './widths.ts';

const SWAPPED = 'Minimum beds must not be above maximum beds';

test('shows the first page at every width', async ({ page, server }) => {
  const { count, results } = await list(server);
  await page.goto(paths.employers());
  await expect(page.getByRole('heading', { level: 1, name: 'Employers' })).toBeVisible();
  const claim = `${count} employers, anonymous reviews from verified doctors`;
  await expectTexts(page, claim, `Showing 1 to 20 of ${count} employers`);
  await expect(cardNames(page)).toHaveText(namesOf(results));
  await expect(page.getByText(`Page 1 of ${Math.ceil(count / 20)}`)).toBeVisible();
  await expect(page).toBeAccessible();
  await atSizes(page, SIZES, async () => expect(await sideways(page)).toBe(0));
});

test('a card shows the known facts', async ({ page, server }) => {
  const { results } = await list(server, { trauma_level: 'Level I', has_helipad: 'true' });
  const employer = sure(results.find(({ total_reviews, phone }) => total_reviews > 1 && phone));
  await page.goto(paths.employers({ trauma_level: 'Level I', has_helipad: 'true' }));
  const card = page.getByRole('article').filter({ hasText: namesOf([employer])[0] ?? '' });
  for (const text of [
    `${employer.city}, ${employer.state}`,
    employer.employer_type_display,
    `${employer.bed_count} beds`,
    'Trauma Level I',
    'Helipad',
    employer.ownership_type,
    employer.phone ?? '',
    employer.overall_rating?.toFixed(1) ?? '',
    `${employer.total_reviews} reviews`,
  ]) {
    await expect(card).toContainText(text);
  }
  await card.getByRole('link').click();
  await expect(page).toHaveURL(paths.employer(employer.id));

  const { none } = await extremes(server);
  await page.goto(paths.employers({ search: none.name }));
  const empty = page
    .getByRole('article')
    .filter({ hasText: namesOf([none])[0] ?? '' })
    .first();
  await expect(empty).toContainText('N/A');
  await expect(empty).toContainText('0 reviews');
});

test(
  'on a phone, cards are short, and saving and comparing are icons at the name',
  LONG,
  async ({ page }) => {
    await openLive(page, paths.employers(), PHONE);
    const cards = page.getByRole('article');
    const shown = await cards.evaluateAll((all) =>
      all.map((card) => {
        const lines = card.querySelector('h2 a')?.getClientRects().length;
        const { top, height } = card.getBoundingClientRect();
        return { lines, top, height };
      }),
    );
    const short = shown.filter(({ lines }) => lines === 1);
    expect(short.length).toBeGreaterThan(2);
    for (const { height } of short) expect(height).toBeLessThanOrEqual(170);
    const [first, last] = [sure(shown[0]), sure(shown.at(-1))];
    expect((last.top - first.top) / (shown.length - 1)).toBeLessThanOrEqual(185);

    const name = (await cardNames(page).first().textContent()) ?? '';
    const heading = await boxOf(cardNames(page).first());
    for (const action of ['Save', 'Compare']) {
      const button = cards.first().getByRole('button', { name: `${action} ${name}`, exact: true });
      const { y, bottom, width, height } = await boxOf(button);
      expect(y).toBeLessThan(heading.bottom);
      expect(bottom).toBeGreaterThan(heading.y);
      expect(Math.max(width, height)).toBeLessThan(48);
      await button.click();
      await expect(button).toHaveAttribute('aria-pressed', 'true');
    }
    await expect(page).toBeAccessible('light', 'dark');
  },
);

test('on a phone, the skeleton has the frame of the page', LONG, async ({ page }) => {
  await openLive(page, paths.home(), PHONE);
  const held = await hold(page, DIRECTORY_CALL);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Employers' }).click();
  await expect(page.getByText('Loading...')).toBeVisible();
  const frame = async () => [
    await sideways(page),
    await boxOf(page.getByLabel(SEARCH)),
    await boxOf(page.getByRole('navigation', { name: 'Tabs' })),
  ];
  const before = await frame();
  expect(before[0]).toBe(0);
  held.release();
  await expect(page.getByRole('article')).toHaveCount(20);
  expect(await frame()).toEqual(before);
});

test(
  'on a desktop, the controls of a list are in the columns of what is below',
  LONG,
  async ({ page }) => {
    const sizes = [1024, 1152, 1280].map((width) => ({ width, height: 900 }));
    const card = (at: number) => boxOf(page.getByRole('article').nth(at));
    await openLive(page, paths.employers());
    await atSizes(page, sizes, async () => {
      const [left, right] = [await card(0), await card(1)];
      const filters = await boxOf(page.getByRole('button', { name: /^Filters/ }));
      const rated = await boxOf(page.getByLabel('Rated by'));
      expect((await boxOf(page.getByLabel(SEARCH))).x).toBeCloseTo(left.x, 0);
      expect(filters.x + filters.width).toBeCloseTo(left.x + left.width, 0);
      expect((await boxOf(page.getByLabel('Sort by'))).x).toBeCloseTo(right.x, 0);
      expect(rated.x + rated.width).toBeCloseTo(right.x + right.width, 0);
    });
    await openLive(page, paths.reviews());
    await atSizes(page, sizes, async () => {
      const [order, city] = [page.getByLabel('Sort by'), page.getByLabel('City')];
      expect((await boxOf(order)).x).toBeCloseTo((await boxOf(city)).x, 0);
      expect((await boxOf(order)).width).toBeCloseTo((await boxOf(city)).width, 0);
    });
  },
);

test('rated by a category, the best come first and show its average', async ({ page, server }) => {
  const ordering = '-avg_immigration_support_rating';
  const { results } = await list(server, { ordering, min_reviews: 3 });
  const best = sure(results[0]);
  await openLive(page, paths.employers({ min_reviews: 3, page: 2 }));
  const ratedBy = page.getByLabel('Rated by');
  await ratedBy.selectOption('Immigration support');
  await expect(page).toHaveURL(paths.employers({ min_reviews: 3, ordering }));
  await expect(cardNames(page)).toHaveText(namesOf(results));
  const average = best.avg_immigration_support_rating?.toFixed(1);
  await expect(page.getByRole('article').first()).toContainText(`Immigration support: ${average}`);
  const heading = 'Best-rated employers by immigration support';
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  await expect(page).toHaveTitle(`${heading}: at least 3 reviews · Curbside`);
  await expect(page.getByLabel('Sort by').locator(':checked')).toHaveText('Highest Rated');
  await expect(page).toBeAccessible();

  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByLabel('Immigration support').selectOption('4+ stars');
  const filters = { min_reviews: 3, min_immigration_support_rating: 4 };
  await expect(page).toHaveURL(paths.employers({ ...filters, ordering }));
  await expect(page.getByLabel('Minimum reviews')).toHaveValue('3');
  await ratedBy.selectOption('Overall');
  await expect(page).toHaveURL(paths.employers({ ...filters, ordering: '-overall_rating' }));
  await page.getByLabel('Sort by').selectOption('Name A-Z');
  await expect(page).toHaveURL(paths.employers(filters));
});

test('pages forward and back', async ({ page, server }) => {
  const { count } = await list(server);
  const last = Math.ceil(count / 20);
  const second = namesOf((await list(server, { page: 2 })).results);
  await openLive(page, paths.employers());
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await follow(pages, 'Next', paths.employers({ page: 2 }));
  await expect(page.getByText(`Showing 21 to 40 of ${count} employers`)).toBeVisible();
  await expect(cardNames(page)).toHaveText(second);
  // Scrolled to the top, like any new page.
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(page.getByRole('main')).toBeFocused();
  await pages.getByRole('link', { name: 'Page 5', exact: true }).click();
  await expect(page.getByText(`Page 5 of ${last}`)).toBeVisible();
  // Two on either side of it, unless the last five start earlier.
  const from = Math.min(3, last - 4);
  const numbers = Array.from({ length: 5 }, (_, place) => String(from + place));
  await expect(pages.getByRole('listitem')).toHaveText(numbers);
  await page.goBack();
  await expect(page.getByText(`Page 2 of ${last}`)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(paths.employers());
  await expect(page.getByText(`Page 1 of ${last}`)).toBeVisible();
  await page.goForward();
  await expect(page.getByText(`Page 2 of ${last}`)).toBeVisible();
  await follow(pages, 'Previous', paths.employers());
});

test('a page past the last says so and links back', LONG, async ({ page, server }) => {
  const { count } = await list(server);
  const last = Math.ceil(count / 20);
  await openLive(page, paths.employers({ page: 999 }));
  await expect(page.getByText(`There is no page 999. The last page is ${last}.`)).toBeVisible();
  await expect(page.getByText('Page 999 of')).toHaveCount(0);
  await expect(page.getByText('No employers found')).toHaveCount(0);
  await expect(page).toBeAccessible();
  await follow(page, 'Go to the last page', paths.employers({ page: last }));
  await expect(page.getByText(`Page ${last} of ${last}`)).toBeVisible();

  await openLive(page, paths.reviews({ page: 999 }));
  await expect(page.getByText('There is no page 999.')).toBeVisible();
  await expect(page.getByText('No reviews yet')).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to the first page' }).first().click();
  await expect(page).toHaveURL(paths.reviews());
});

test(
  'filters count within the chosen state, on a phone in a sheet',
  LONG,
  async ({ page, server }) => {
    const [all, here] = await Promise.all([
      list(server, { hospitals_only: 'true' }),
      list(server, { hospitals_only: 'true', state: 'CA' }),
    ]);
    expect(here.count).toBeLessThan(all.count);
    const expectCounts = async (fields: Page | Locator) => {
      await expect(fields.getByLabel(`Hospitals only (${all.count})`)).toBeVisible();
      await fields.getByLabel('State').selectOption('CA');
      await expect(page).toHaveURL(paths.employers({ state: 'CA' }));
      await expect(fields.getByLabel('Employer type')).toContainText(`Hospital (${here.count})`);
      await fields.getByLabel(`Hospitals only (${here.count})`).check();
      await expect(page).toHaveURL(paths.employers({ state: 'CA', hospitals_only: 'true' }));
      await expect(page.getByText(`of ${here.count} employers`)).toBeVisible();
    };
    const toggle = page.getByRole('button', { name: /^Filters/ });
    await openLive(page, paths.employers());
    await toggle.click();
    await expectCounts(page);

    await openLive(page, paths.employers(), PHONE);
    await toggle.focus();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await expectCounts(sheet);
    const show = sheet.getByRole('button', { name: `Show ${here.count} employers` });
    await expect(show).toBeVisible();
    await expect(page).toBeAccessible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(toggle).toBeFocused();
    await expect(toggle).toContainText('2 active');
    await toggle.click();
    await follow(sheet, 'Clear all filters', paths.employers());
    await sheet.getByRole('button', { name: /^Show/ }).click();
    await expect(sheet).toBeHidden();
  },
);

test('a search waits for a pause, starts at page 1, and keeps the focus', async ({ page }) => {
  await openLive(page, paths.employers({ page: 2 }));
  await page.clock.install();
  // From here on the clock is stopped.
  await page.clock.pauseAt(Date.now() + 60_000);
  const search = page.getByLabel(SEARCH);
  await search.fill('sacramento');
  await page.clock.runFor(DIRECTORY_SEARCH_DEBOUNCE_MS - 1);
  await expect(page).toHaveURL(paths.employers({ page: 2 }));
  await page.clock.runFor(1);
  await expect(page).toHaveURL(paths.employers({ search: 'sacramento' }));
  await expect(page.getByRole('article').first()).toContainText('Sacramento, CA');
  await expect(search).toBeFocused();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
  await page.goBack();
  await expect(search).toHaveValue('');
  await expect(page).toHaveURL(paths.employers({ page: 2 }));
  await page.goForward();
  await expect(search).toHaveValue('sacramento');
});

test('Enter sends a search right away, and it sorts by best match', async ({ page }) => {
  await openLive(page, paths.employers());
  await page.getByLabel(SEARCH).fill('thornquist');
  await page.getByLabel(SEARCH).press('Enter');
  await expect(page.getByRole('article').first()).toContainText('Thornquist');
  const order = page.getByLabel('Sort by');
  await expect(order.locator(':checked')).toHaveText('Best match');
  await order.selectOption('Name A-Z');
  await expect(page).toHaveURL(paths.employers({ search: 'thornquist', ordering: 'name' }));
});

test('supports every order', LONG, async ({ page, server }) => {
  await openLive(page, paths.employers({ page: 3 }));
  for (const [ordering, label] of Object.entries(EMPLOYER_ORDERINGS).reverse()) {
    const names = namesOf((await list(server, { ordering })).results);
    await page.getByLabel('Sort by').selectOption(label);
    await expect(cardNames(page)).toHaveText(names);
  }
  await expect(page).toHaveURL(paths.employers());
  await page.goBack();
  await expect(page.getByLabel('Sort by').locator(':checked')).toHaveText('Name Z-A');
});

test('filters have counts, are in the URL, and can be removed', async ({ page, server }) => {
  const { counts } = await call(server, employerEndpoints.filterOptions);
  await openLive(page, paths.employers({ search: 'hospital', page: 2 }));
  const toggle = page.getByRole('button', { name: /^Filters/ });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByLabel('State')).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('link', { name: 'Clear all filters' })).toBeHidden();

  const hospitals = `Hospital (${counts.employer_types['hospital']})`;
  await page.getByLabel('Employer type').selectOption(hospitals);
  await expect(page).toHaveURL(paths.employers({ search: 'hospital', employer_type: 'hospital' }));
  // The URL has only the second of two quick choices, so each choice waits for the previous one.
  await page.getByLabel('Helipad').selectOption('true');
  await expect(page).toHaveURL(/has_helipad=/);
  await page.getByLabel('Trauma level').selectOption('Level I');
  await expect(page).toHaveURL(/trauma_level=/);
  await page.getByLabel('Hospitals only').check();
  await expect(toggle).toContainText('4 active');
  await expect(page).toBeAccessible();
  const narrow = { has_helipad: 'true', trauma_level: 'Level I', hospitals_only: 'true' };
  const found = await list(server, { search: 'hospital', employer_type: 'hospital', ...narrow });
  await expect(page.getByText(`of ${found.count} employers`)).toBeVisible();

  await page.goBack();
  await expect(page.getByLabel('Hospitals only')).not.toBeChecked();
  await expect(toggle).toContainText('3 active');
  await follow(page, 'Clear all filters', paths.employers({ search: 'hospital' }));
  await expect(page.getByLabel('Trauma level')).toHaveValue('');
  await expect(toggle).toHaveText('Filters');
  await toggle.click();
  await expect(page.getByLabel('State')).toBeHidden();
});

test('every filter can be linked to', async ({ page, server }) => {
  const bounds = { min_beds: '10', max_beds: '2000', min_staff: '10', max_staff: '90000' };
  const chosen = { state: 'CA', ownership_type: 'Non-Profit', hospital_status: 'Open' };
  const filters = { ...chosen, ...bounds };
  const { count, results } = await list(server, filters);
  expect(count).toBeGreaterThan(0);
  await openLive(page, paths.employers(filters));
  await expect(cardNames(page)).toHaveText(namesOf(results));
  await page.getByRole('button', { name: 'Filters 7 active' }).click();
  await expect(page.getByLabel('State')).toHaveValue('CA');
  await expect(page.getByLabel('Ownership')).toHaveValue('Non-Profit');
  await expectValues(page, { 'Hospital status': 'Open', 'Min beds': '10', 'Max staff': '90000' });
});

test(
  'shows swapped bounds at the field and keeps them, even from a link',
  LONG,
  async ({ page }) => {
    await openLive(page, paths.employers());
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Max beds').fill('100');
    await expect(page).toHaveURL(paths.employers({ max_beds: 100 }));
    const min = page.getByLabel('Min beds');
    await min.fill('500');
    await expect(min).toHaveAccessibleDescription(SWAPPED);
    await expect(min).toHaveAttribute('aria-invalid', 'true');
    const staff = page.getByLabel('Min staff');
    await staff.fill('a few');
    await expect(staff).toHaveAccessibleDescription('Must be a whole number from 0 to 1000000');
    await staff.fill('');
    await expect(page).toHaveURL(paths.employers({ max_beds: 100 }));
    await min.fill('50');
    await expect(page).toHaveURL(paths.employers({ min_beds: 50, max_beds: 100 }));
    // A field with an error keeps no other from having an effect.
    await staff.fill('a few');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel(SEARCH).fill('hospital');
    const searched = { search: 'hospital', min_beds: 50, max_beds: 100 };
    await expect(page).toHaveURL(paths.employers(searched));
    await page.getByRole('button', { name: 'Filters' }).click();
    await expect(staff).toHaveValue('a few');

    const answer = await page.goto(paths.employers({ min_beds: 9, max_beds: 3, search: 'x' }));
    expect(answer?.status()).toBe(400);
    await expect(page.getByLabel('Min beds')).toHaveAccessibleDescription(SWAPPED);
    await expect(page.getByLabel('Min beds')).toHaveValue('9');
    await expect(page.getByRole('alert')).toHaveText(SWAPPED);
    await follow(page, 'Clear all filters', paths.employers({ search: 'x' }));
  },
);

test('a failed search keeps the choice and can be repeated', LONG, async ({ page }) => {
  await openLive(page, paths.employers());
  const alert = page.getByRole('alert');
  const failed = 'Failed to load employers. Please try again later.';
  const search = page.getByLabel(SEARCH);
  await page.route(DIRECTORY_CALL, (route) => route.abort());
  await search.fill('sacramento');
  await expect(alert).toHaveText(failed);
  await expect(search).toHaveValue('sacramento');
  await expect(search).toBeFocused();
  await page.unroute(DIRECTORY_CALL);
  await search.pressSequentially(' ca');
  await expect(page.getByRole('article').first()).toContainText('Sacramento, CA');
  await expect(alert).toBeHidden();
  await page.route(DIRECTORY_CALL, (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByLabel('Sort by').selectOption('Most Beds');
  await expect(alert).toHaveText(failed);
  await expect(page.getByLabel('Sort by')).toHaveValue('-bed_count');
});

test('shows loading over the old list, or a skeleton', LONG, async ({ page }) => {
  await openLive(page, paths.home());
  const first = await hold(page, DIRECTORY_CALL);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Employers' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Employers' })).toBeVisible();
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
  first.release();
  await expect(page.getByRole('article')).toHaveCount(20);
  await expect(page.getByText('Loading...')).toBeHidden();

  await page.route(DIRECTORY_CALL, (route) => route.abort());
  const employers = page.getByRole('contentinfo').getByRole('link', { name: 'Employers' });
  await page.getByRole('link', { name: 'Browse reviews' }).first().click();
  await expect(page).toHaveURL(paths.reviews());
  await employers.click();
  const claim = 'Employers with anonymous reviews from verified doctors';
  await expect(page.getByText(claim, { exact: true })).toBeVisible();

  await page.unroute(DIRECTORY_CALL);
  await openLive(page, paths.employers());
  const second = await hold(page, DIRECTORY_CALL);
  await page.getByLabel('Sort by').selectOption('Most Beds');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(20);
  second.release();
  await expect(page.getByText('Loading...')).toBeHidden();
});

withoutScript('without script, there are a form and links', LONG, async ({ page, server }) => {
  const query = { search: 'hospital', state: 'CA', ordering: '-bed_count' };
  const { results } = await list(server, query);
  await page.goto(paths.employers());
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 40')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Showing 1 to 20')).toBeVisible();
  await page.getByLabel(SEARCH).fill('hospital');
  await page.getByLabel(SEARCH).press('Enter');
  const best = await list(server, { search: 'hospital' });
  await expect(cardNames(page)).toHaveText(namesOf(best.results));
  await page.getByLabel('State').selectOption('CA');
  await page.getByLabel('Sort by').selectOption('Most Beds');
  await page.getByLabel('Rated by').selectOption('Team collaboration');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page.getByLabel('Rated by')).toHaveValue('-avg_team_collaboration_rating');
  await page.getByLabel('Rated by').selectOption('Overall');
  await page.getByLabel('Sort by').selectOption('Most Beds');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect(cardNames(page)).toHaveText(namesOf(results));
  await expect(page.getByLabel(SEARCH)).toHaveValue('hospital');
  await expect(page.getByLabel('State')).toHaveValue('CA');
  await page.getByRole('link', { name: 'Clear all filters' }).click();
  await expect(page.getByLabel('State')).toHaveValue('');
  await expect(page.getByLabel(SEARCH)).toHaveValue('hospital');
  await fill(page, { 'Min beds': '9', 'Max beds': '3' });
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page.getByLabel('Min beds')).toHaveValue('9');
  await expect(page.getByLabel('Min beds')).toHaveAccessibleDescription(SWAPPED);
});
