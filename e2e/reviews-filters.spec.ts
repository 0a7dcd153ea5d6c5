import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEWS_URL_SYNC_MS } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DESKTOP, hold, PHONE, requestsOf } from './account.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { expectValues, follow } from './forms.ts';
import {
  box,
  browse,
  cards,
  countOf,
  OLDEST,
  OPTIONS_CALL,
  open,
  says,
  search,
} from './reviews-page.ts';
import { boxOf } from './widths.ts';

withoutScript('without script, it is a form and a list', LONG, async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await page.goto(paths.reviews({ city: 'Boston' }));
  await says(page, await countOf(server, { city: 'Boston' }));
  await box(page, 'City').fill('Bend');
  await page.getByLabel('Minimum rating').selectOption('3+ stars');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await says(page, await countOf(server, { city: 'Boston,Bend', min_rating: 3 }));
  await page.setViewportSize(DESKTOP);
  await page.getByRole('link', { name: 'Remove filter: Boston' }).click();
  await says(page, await countOf(server, { city: 'Bend', min_rating: 3 }));
  await page.getByLabel('Minimum rating').selectOption('4+ stars');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await says(page, await countOf(server, { city: 'Bend', min_rating: 4 }));
  await page.getByRole('link', { name: 'Clear all filters' }).click();
  await search(page).fill('icu');
  await page.getByRole('button', { name: 'Search' }).click();
  await says(page, await countOf(server, { search: 'icu' }));
  const best = page.getByRole('option', { name: 'Best match', selected: true });
  await expect(best).toBeAttached();
});

withoutScript('without script, it pages and says why loading failed', LONG, async ({ page }) => {
  await page.goto(paths.reviews(OLDEST));
  const first = await cards(page).first().getByRole('heading').textContent();
  await expect(page.getByText('Pros', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Read more|Share/ })).toHaveCount(0);
  await follow(page, 'Load more reviews', paths.reviews({ ...OLDEST, page: 2 }));
  await expect(page.getByText('From page 2.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the first page' }).click();
  await expect(cards(page).first().getByRole('heading')).toHaveText(first ?? '');

  const answer = await page.goto(paths.reviews({ min_rating: 9 }));
  expect(answer?.status()).toBe(400);
  const text = 'Failed to load reviews: Minimum rating must be a whole number from 1 to 5';
  await expect(page.getByRole('alert')).toContainText(text);
});

test('filters are added to the URL one by one', async ({ page, server }) => {
  await open(page);
  const query: Record<string, string> = {};
  async function expectNow(change: Record<string, string>) {
    Object.assign(query, change);
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(query);
    await says(page, await countOf(server, query));
  }
  await page.getByLabel('Minimum rating').selectOption('2+ stars');
  await expectNow({ min_rating: '2' });
  await page.getByLabel('Recommendation').selectOption('Not recommended');
  await expectNow({ would_recommend: 'false' });
  await page.getByLabel('Employment').selectOption('Former employees');
  await expectNow({ is_current_employee: 'false' });
  await box(page, 'State').click();
  await page.getByRole('option', { name: 'CA', exact: true }).click();
  await expectNow({ state: 'CA' });
  await box(page, 'Position title').fill('hospitalist');
  await page.getByRole('option', { name: 'Hospitalist', exact: true }).click();
  await expectNow({ position_title: 'Hospitalist' });
  await page.getByLabel('Sort by').selectOption('Oldest first');
  await expectNow({ ordering: 'created_at' });
  await search(page).fill('night');
  // Otherwise the suggestions cover the cards.
  await search(page).press('Escape');
  await expectNow({ search: 'night' });

  await page.getByRole('link', { name: 'Clear all filters' }).click();
  await says(page, await countOf(server, { search: 'night' }));
  expect(new URL(page.url()).search).toBe('?search=night&ordering=created_at');
  await expect(page.getByRole('heading', { level: 2, name: 'Reviews' })).toBeFocused();
});

test('filters accept several cities, but no invalid choice', async ({ page, server }) => {
  await open(page);
  await box(page, 'City').focus();
  for (const [typed, city] of [
    ['bost', 'Boston'],
    ['albu', 'Albuquerque'],
  ] as const) {
    await page.keyboard.type(typed);
    await expect(page.getByRole('option', { name: city })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: `Remove filter: ${city}` })).toBeVisible();
  }
  await says(page, await countOf(server, { city: 'Boston,Albuquerque' }));
  expect(new URL(page.url()).searchParams.get('city')).toBe('Boston,Albuquerque');
  await page.getByRole('link', { name: 'Remove filter: Boston' }).press('Enter');
  await says(page, await countOf(server, { city: 'Albuquerque' }));
  await page.getByRole('link', { name: 'Remove filter: Albuquerque' }).press('Enter');
  await expect(page).toHaveURL(paths.reviews());

  await box(page, 'State').fill('zz');
  await expect(page.getByText('No options found')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(box(page, 'State')).toHaveValue('');
  await expect(page.getByText('No options found')).toBeHidden();
  expect(new URL(page.url()).search).toBe('');
  // Typing a full value selects it, and emptying the box clears it.
  await box(page, 'State').fill('ca');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.reviews({ state: 'CA' }));
  await box(page, 'State').fill('');
  await expect(page).toHaveURL(paths.reviews());
});

test('filters list up to 200 options, and find each by typing', async ({ page, server }) => {
  const { position_titles } = await call(server, reviewEndpoints.filterOptions);
  const last = position_titles.at(-1) ?? '';
  // Other tests add titles to the 187 of the demo.
  const shown = Math.min(position_titles.length, 200);
  const list = page.getByRole('listbox');
  const options = list.getByRole('option');
  await page.setViewportSize(DESKTOP);
  await open(page);
  await box(page, 'Position title').click();
  await expect(options).toHaveCount(shown);
  const { x, width } = await boxOf(list);
  expect(width).toBeGreaterThanOrEqual(240);
  expect(x + width).toBeLessThanOrEqual(DESKTOP.width);
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();

  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await box(page, 'Position title').click();
  await expect(options).toHaveCount(shown);
  await expect(page).toBeAccessible();
  await box(page, 'Position title').fill(last);
  await expect(options.filter({ hasText: titleCase(last) }).first()).toBeVisible();
  await expect(page.getByText('Type to narrow the list.')).toHaveCount(0);
});

test('filters follow every change of the URL', async ({ page, server }) => {
  const query = {
    search: 'care',
    position_title: 'Hospitalist',
    state: 'CA',
    city: 'Fresno',
    min_rating: '1',
    would_recommend: 'true',
    is_current_employee: 'false',
    ordering: 'overall_rating',
  };
  await open(page, query);
  await expect(search(page)).toHaveValue('care');
  await expect(box(page, 'Position title')).toHaveValue('Hospitalist');
  await expect(box(page, 'State')).toHaveValue('CA');
  await expect(page.getByRole('link', { name: 'Remove filter: Fresno' })).toBeVisible();
  await expect(page.getByLabel('Minimum rating')).toHaveValue('1');
  await expect(page.getByLabel('Recommendation')).toHaveValue('true');
  await expectValues(page, { Employment: 'false', 'Sort by': 'overall_rating' });

  await browse(page);
  await says(page, await countOf(server, {}));
  await expect(search(page)).toHaveValue('');
  await page.goBack();
  await expect(search(page)).toHaveValue('care');
  await says(page, await countOf(server, query));
});

test('filters reload their options on request, and then remove the parameter', async ({ page }) => {
  const { path } = reviewEndpoints.filterOptions;
  const loaded = requestsOf(page, (request) => request.url().endsWith(path));
  await page.goto('/reviews?min_rating=3&page=2&refreshFilters=true');
  await expect(page).toHaveURL(paths.reviews({ min_rating: 3, page: 2 }));
  await expect.poll(() => loaded.length).toBe(1);
  await expect(cards(page).first()).toBeVisible();
  // Removing a filter may bring back more choices.
  await page.getByRole('link', { name: 'Remove filter: 3+ stars' }).click();
  await expect.poll(() => loaded.length).toBe(2);
});

test('reloading the options does not call back a reader who follows a link', async ({ page }) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const options = page.waitForResponse(OPTIONS_CALL);
  await page.goto('/reviews?refreshFilters=true');
  await options;
  const { release } = await hold(page, '**/*');
  const bar = page.getByRole('navigation', { name: 'Main' });
  const employers = bar.getByRole('link', { name: 'Employers' });
  await employers.click();
  await page.clock.runFor(REVIEWS_URL_SYNC_MS);
  release();
  await expect(page).toHaveURL(paths.employers());
  await expect(page.getByRole('heading', { level: 1, name: 'Employers' })).toBeVisible();
});

test('on a phone the filters open as a sheet', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await open(page);
  const opener = page.getByRole('button', { name: 'Filters' });
  await opener.click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  const ratings = sheet.getByRole('group', { name: 'Minimum rating' }).locator('label');
  await expect(ratings).toHaveText(['Any', '4+ stars', '3+ stars', '2+ stars', '1+ stars']);
  await ratings.getByText('4+ stars').click();
  const rated = await countOf(server, { min_rating: 4 });
  await expect(sheet.getByRole('button', { name: `Show ${rated} reviews` })).toBeVisible();
  await sheet.getByRole('combobox', { name: 'City' }).fill('bos');
  await sheet.getByRole('option', { name: 'Boston' }).click();
  const found = await countOf(server, { min_rating: 4, city: 'Boston' });
  const done = sheet.getByRole('button', { name: new RegExp(`^Show ${found} reviews?$`) });
  await expect(done).toBeVisible();
  await expect(page).toBeAccessible();
  await done.click();
  await expect(sheet).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(opener).toHaveText('Filters2 active');
  expect(new URL(page.url()).search).toBe('?city=Boston&min_rating=4');

  await opener.press('Enter');
  await sheet.getByRole('button', { name: 'Clear all' }).press('Enter');
  const all = await countOf(server, {});
  await expect(sheet.getByRole('button', { name: `Show ${all} reviews` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(opener).toHaveText('Filters');
  await expect(page).toHaveURL(paths.reviews());
});
