import type { Page } from '@playwright/test';
import type { Page as ListPage } from '#contract/paging.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import type { Review } from '#contract/reviews.ts';
import { apiPaths, paths, type Query } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, hold, PHONE, refuse, signIn } from './account.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { ask, REVIEWS_CALL } from './review.ts';
import type { TestServer } from './server.ts';

const LIST_CALL = `${REVIEWS_CALL}?*`;
const OPTIONS_CALL = `**/api${apiPaths.reviewFilterOptions()}`;
const EMPTY = { count: 0, next: null, previous: null, results: [] };

const cards = (page: Page) => page.getByRole('article');
const listCalls = (page: Page) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/api${apiPaths.reviews()}`) calls.push(search);
  });
  return calls;
};

const countOf = async (server: TestServer, query: Query) =>
  (await ask<ListPage<Review>>(server, apiPaths.reviews(query))).count;

/** The total as the page says it. */
const says = (page: Page, count: number) =>
  expect(
    page.getByText(count === 1 ? '1 review' : `${count} reviews`, { exact: true }),
  ).toBeVisible();

/** Open, and taken over by the script. */
async function open(page: Page, query: Query = {}): Promise<void> {
  const options = page.waitForResponse(OPTIONS_CALL);
  await page.goto(paths.reviews(query));
  await options;
}

const browse = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Browse reviews' })
    .click();

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
const box = (page: Page, name: string) => page.getByRole('combobox', { name });

for (const viewport of [PHONE, DESKTOP]) {
  test(`the first page at ${viewport.width} px`, async ({ page, server, expectAccessible }) => {
    await page.setViewportSize(viewport);
    await open(page);
    await expect(
      page.getByRole('heading', { level: 1, name: 'Reviews by practitioners' }),
    ).toBeVisible();
    await says(page, await countOf(server, {}));
    await expect(cards(page)).toHaveCount(20);
    await expectAccessible();
    await search(page).fill('hospital');
    await says(page, await countOf(server, { search: 'hospital' }));
    expect(await page.evaluate(() => document.body.scrollWidth)).toBe(viewport.width);
  });
}

test('writing needs a login, which leads on', async ({ page, server }) => {
  await page.goto(paths.reviews());
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Write a review' }).click();
  await expect(page).toHaveURL(paths.login({ redirect: 'create-review' }));
  await signIn(page, server, DEMO.doctor);
  await page.goto(paths.reviews());
  await main.getByRole('link', { name: 'Write a review' }).click();
  await expect(page).toHaveURL(paths.createReview());
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  for (const viewport of [PHONE, DESKTOP]) {
    test(`is a form and a list at ${viewport.width} px`, async ({ page, server }) => {
      await page.setViewportSize(viewport);
      await page.goto(paths.reviews({ city: 'Boston' }));
      await says(page, await countOf(server, { city: 'Boston' }));
      await box(page, 'City').fill('Bend');
      await page.getByLabel('Minimum rating').selectOption('3+ stars');
      await page.getByRole('button', { name: 'Apply filters' }).click();
      await says(page, await countOf(server, { city: 'Boston,Bend', min_rating: 3 }));
      await page.getByRole('link', { name: 'Remove filter: Boston' }).click();
      await says(page, await countOf(server, { city: 'Bend', min_rating: 3 }));
      await page.getByRole('link', { name: 'Clear all filters' }).click();
      await search(page).fill('icu');
      await page.getByRole('button', { name: 'Search' }).click();
      await says(page, await countOf(server, { search: 'icu' }));
    });
  }

  test('goes from page to page, and shows the whole of a review', async ({ page }) => {
    await page.goto(paths.reviews());
    const first = await cards(page).first().getByRole('heading').textContent();
    await expect(page.getByText('Pros', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /Read more|Share/ })).toHaveCount(0);
    await page.getByRole('link', { name: 'Load more reviews' }).click();
    await expect(page).toHaveURL(paths.reviews({ page: 2 }));
    await expect(page.getByText('From page 2.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await expect(cards(page).first().getByRole('heading')).toHaveText(first ?? '');
  });

  test('says why it failed', async ({ page }) => {
    const answer = await page.goto(paths.reviews({ min_rating: 9 }));
    expect(answer?.status()).toBe(400);
    await expect(page.getByRole('alert')).toContainText(
      'Failed to load reviews: Minimum rating must be from 1 to 5',
    );
  });
});

test.describe('filters', () => {
  test('stand in the address, one by one', async ({ page, server }) => {
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
    await expectNow({ search: 'night' });

    await page.getByRole('link', { name: 'Clear all filters' }).click();
    await says(page, await countOf(server, { search: 'night' }));
    expect(new URL(page.url()).search).toBe('?search=night&ordering=created_at');
    await expect(page.getByRole('heading', { level: 2, name: 'Reviews' })).toBeFocused();
  });

  test('take several cities, with the keyboard alone', async ({ page, server }) => {
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
  });

  test("say 'No options found', and forget what is none", async ({ page }) => {
    await open(page);
    await box(page, 'State').fill('zz');
    await expect(page.getByText('No options found')).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(box(page, 'State')).toHaveValue('');
    await expect(page.getByText('No options found')).toBeHidden();
    expect(new URL(page.url()).search).toBe('');
    // What is typed in full needs no choosing; emptying the box takes it back.
    await box(page, 'State').fill('ca');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(paths.reviews({ state: 'CA' }));
    await box(page, 'State').fill('');
    await expect(page).toHaveURL(paths.reviews());
  });

  test('are read from the address, whichever way it changes', async ({ page, server }) => {
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
    await expect(page.getByLabel('Employment')).toHaveValue('false');
    await expect(page.getByLabel('Sort by')).toHaveValue('overall_rating');

    await browse(page);
    await says(page, await countOf(server, {}));
    await expect(search(page)).toHaveValue('');
    await page.goBack();
    await expect(search(page)).toHaveValue('care');
    await says(page, await countOf(server, query));
  });

  test('load their options anew when they are told to, and say so no more', async ({ page }) => {
    let loaded = 0;
    await page.route(OPTIONS_CALL, async (route) => {
      loaded += 1;
      await route.continue();
    });
    await page.goto('/reviews?state=CA&refreshFilters=true');
    await expect(page).toHaveURL(paths.reviews({ state: 'CA' }));
    await expect.poll(() => loaded).toBe(1);
    await expect(cards(page).first()).toBeVisible();
    // More reviews than before may bring more to choose from.
    await page.getByRole('link', { name: 'Remove filter: CA' }).click();
    await expect.poll(() => loaded).toBe(2);
  });
});

test('the address follows after 100 ms, the reviews after 300 ms', async ({ page }) => {
  await page.clock.install();
  await open(page);
  const calls = listCalls(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await search(page).fill('icu');
  await page.clock.runFor(90);
  await expect(page).toHaveURL(paths.reviews());
  await page.clock.runFor(20);
  await expect(page).toHaveURL(paths.reviews({ search: 'icu' }));
  await page.clock.runFor(180);
  expect(calls).toEqual([]);
  await page.clock.runFor(20);
  await expect.poll(() => calls).toEqual(['?search=icu&page=1']);
});

test('sorts in every order; a search goes by the best match', async ({ page, server }) => {
  await open(page);
  const order = page.getByLabel('Sort by');
  await expect(order.getByRole('option')).toHaveText(Object.values(REVIEW_ORDERINGS));
  await expect(order).toHaveValue('-created_at');
  for (const ordering of ['created_at', '-overall_rating', 'overall_rating', '-helpful']) {
    await order.selectOption(ordering);
    const { results } = await ask<ListPage<Review>>(server, apiPaths.reviews({ ordering }));
    await expect(cards(page).first()).toContainText(results[0]?.review_text.slice(0, 40) ?? '');
  }
  await order.selectOption('-created_at');
  await expect(page).toHaveURL(paths.reviews());
  await search(page).fill('icu');
  await expect(order).toHaveValue('');
  await expect(order.getByRole('option', { name: 'Best match' })).toBeAttached();
});

test.describe('load more', () => {
  test('appends until there is no next page', async ({ page, server }) => {
    await open(page, { city: 'Boston,Atlanta,Denver,Fresno', ordering: 'created_at' });
    const calls = listCalls(page);
    const query = { city: 'Boston,Atlanta,Denver,Fresno', ordering: 'created_at' };
    const count = await countOf(server, query);
    test.skip(count <= 20 || count > 60, 'the demo data has changed');
    const more = page.getByRole('link', { name: 'Load more reviews' });
    const texts = new Set<string | null>();
    for (let shown = 20; shown < count; shown = Math.min(shown + 20, count)) {
      await expect(cards(page)).toHaveCount(shown);
      await more.press('Enter');
      // The reader goes on where the list went on.
      await expect(cards(page).nth(shown).locator('..')).toBeFocused();
    }
    await expect(cards(page)).toHaveCount(count);
    for (const text of await cards(page).allTextContents()) texts.add(text);
    expect(texts.size).toBe(count);
    await expect(more).toBeHidden();
    expect(calls).toHaveLength(Math.ceil(count / 20) - 1);
  });

  test('that fails leaves the list and can be tried again', async ({ page }) => {
    await open(page);
    const more = page.getByRole('link', { name: 'Load more reviews' });
    await page.route(LIST_CALL, refuse(500, { detail: 'Server error. Please try again later.' }), {
      times: 1,
    });
    await more.click();
    await expect(page.getByRole('alert')).toHaveText(
      'Failed to load reviews: Server error. Please try again later.',
    );
    await expect(cards(page)).toHaveCount(20);
    await more.click();
    await expect(cards(page)).toHaveCount(40);
    await expect(page.getByRole('alert')).toBeHidden();
  });
});

test('a failure takes the place of the list, until it is tried again', async ({
  page,
  expectAccessible,
}) => {
  await open(page);
  await page.route(LIST_CALL, (route) => route.abort(), { times: 1 });
  await page.getByLabel('Minimum rating').selectOption('4');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    'Failed to load reviews: Network error. Please check your internet connection.',
  );
  await expect(cards(page)).toHaveCount(0);
  await expectAccessible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page)).toHaveCount(20);
  await page.route(LIST_CALL, refuse(418, { message: 'Short and stout' }), { times: 1 });
  await page.getByLabel('Minimum rating').selectOption('3');
  await expect(alert).toContainText('Failed to load reviews: Short and stout');
});

test('says when there is nothing: at all, or to be found', async ({ page, expectAccessible }) => {
  await open(page);
  await search(page).fill('qqqqzzzz');
  await expect(page.getByText('No reviews found')).toBeVisible();
  await says(page, 0);
  await expectAccessible();
  await page.route(LIST_CALL, (route) => route.fulfill({ json: EMPTY }));
  await page.getByRole('link', { name: 'Clear search and filters' }).click();
  await expect(page.getByText('No reviews yet')).toBeVisible();
  await expect(search(page)).toHaveValue('');
});

test('a skeleton shows only where the first load takes long', async ({ page }) => {
  const skeleton = page.getByRole('region', { name: 'Reviews' }).locator('.animate-pulse').first();
  await page.clock.install();
  await openLive(page, paths.terms());
  const { release } = await hold(page, LIST_CALL);
  await page.clock.pauseAt(Date.now() + 60_000);
  await browse(page);
  await expect(page.getByRole('heading', { name: 'Reviews by practitioners' })).toBeVisible();
  await page.clock.runFor(140);
  await expect(skeleton).toBeHidden();
  await page.clock.runFor(20);
  await expect(skeleton).toBeVisible();
  release();
  await expect(cards(page)).toHaveCount(20);
  await expect(skeleton).toHaveCount(0);
});

test('coming back finds all pages, the place, and what was opened', async ({ page }) => {
  await open(page, { min_rating: 3 });
  await page.getByRole('link', { name: 'Load more reviews' }).click();
  const card = cards(page).nth(25);
  await card.getByRole('button', { name: 'Read more' }).click();
  const link = card.getByRole('heading').getByRole('link');
  await link.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => window.scrollY);
  expect(top).toBeGreaterThan(1000);
  const back = [() => page.goBack(), () => page.getByRole('link', { name: 'All reviews' }).click()];
  for (const goBack of back) {
    await link.click();
    await expect(page).toHaveURL(/\/employers\/\d+$/);
    expect(await page.evaluate(() => window.history.state.usr)).toEqual({ from: '/reviews' });
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await goBack();
    await expect(page).toHaveURL(paths.reviews({ min_rating: 3 }));
    await expect(cards(page)).toHaveCount(40);
    await expect(card.getByRole('button', { name: 'Read less' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE });

  test('the filters are a sheet', async ({ page, server, expectAccessible }) => {
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
    await expectAccessible();
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
});
