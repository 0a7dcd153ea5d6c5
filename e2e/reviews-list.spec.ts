import type { Page } from '@playwright/test';
import { apiPath } from '#contract/api-path.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, expectFailures, hold, PHONE, refuse, sure } from './account.ts';
import { NONSENSE } from './employers.ts';
import { expect, LONG, test } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import {
  browse,
  cardOf,
  cards,
  countOf,
  LIST_CALL,
  listCalls,
  listOf,
  OLDEST,
  open,
  says,
  search,
} from './reviews-page.ts';
import { atSizes, sideways } from './widths.ts';

const EMPTY = { count: 0, next: null, previous: null, results: [] };

test('shows the first page and a search at every width', async ({ page, server }) => {
  await page.setViewportSize(DESKTOP);
  await open(page);
  const name = 'Reviews by practitioners';
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await says(page, await countOf(server, {}));
  await expect(cards(page)).toHaveCount(20);
  await expect(page).toBeAccessible();
  const example = 'For example, hospitalist night shifts';
  await expect(search(page)).toHaveAttribute('placeholder', example);
  await search(page).fill('hospital');
  await says(page, await countOf(server, { search: 'hospital' }));
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));
});

test('writing requires a login, which then opens the form', async ({ page, signedIn }) => {
  await page.goto(paths.reviews());
  const main = page.getByRole('main');
  await follow(main, 'Write a review', paths.login({ redirect: 'create-review' }));
  await signedIn(DEMO.doctor, paths.reviews());
  await follow(main, 'Write a review', paths.createReview());
});

test('updates the URL after 100 ms and the reviews after 300 ms', async ({ page }) => {
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
  expect(calls()).toEqual([]);
  await page.clock.runFor(20);
  await expect.poll(calls).toEqual(['?search=icu&page=1']);
});

test('sorts in every order, and a search sorts by best match', async ({ page, server }) => {
  await open(page);
  const order = page.getByLabel('Sort by');
  await expect(order.getByRole('option')).toHaveText(Object.values(REVIEW_ORDERINGS));
  await expect(order).toHaveValue('-created_at');
  for (const ordering of ['created_at', '-overall_rating', 'overall_rating', '-helpful']) {
    await order.selectOption(ordering);
    const { results } = await listOf(server, { ordering });
    await expect(cards(page).first()).toContainText(results[0]?.review_text.slice(0, 40) ?? '');
  }
  await order.selectOption('-created_at');
  await expect(page).toHaveURL(paths.reviews());
  await search(page).fill('icu');
  await expect(order).toHaveValue('');
  await expect(order.getByRole('option', { name: 'Best match' })).toBeAttached();
});

test('load more appends until there is no next page', async ({ page, server }) => {
  const query = { city: 'Boston,Atlanta,Denver,Fresno', ...OLDEST };
  await open(page, query);
  const calls = listCalls(page);
  const count = await countOf(server, query);
  expect(count).toBeGreaterThan(20);
  const more = page.getByRole('link', { name: 'Load more reviews' });
  for (let shown = 20; shown < count; shown = Math.min(shown + 20, count)) {
    await expect(cards(page)).toHaveCount(shown);
    await more.press('Enter');
    // The focus moves to the first new review.
    await expect(cards(page).nth(shown).locator('..')).toBeFocused();
  }
  await expect(cards(page)).toHaveCount(count);
  const alone = page.getByRole('link', { name: /^Link to this review/ });
  const shown = await alone.evaluateAll((links) => links.map((link) => `${link}`));
  expect(new Set(shown).size).toBe(count);
  await expect(more).toBeHidden();
  expect(calls()).toHaveLength(Math.ceil(count / 20) - 1);
});

test('a reload keeps all pages and the place', LONG, async ({ page, most }) => {
  for (const [path, more, count] of [
    [paths.reviews(OLDEST), 'Load more reviews', 60],
    [paths.employer(most.id), 'Show more', most.total_reviews],
  ] as const) {
    await openLive(page, path);
    const first = await cards(page).count();
    expect(count).toBeGreaterThan(first);
    for (let shown = first; shown < count; shown += first) {
      await page.getByRole('link', { name: more, exact: true }).click();
      await expect(cards(page)).toHaveCount(Math.min(shown + first, count));
    }
    await cards(page)
      .nth(count - 5)
      .scrollIntoViewIfNeeded();
    const top = await page.evaluate(() => window.scrollY);
    await expect.poll(() => page.evaluate(() => window.history.state.top)).toBe(top);
    await page.reload();
    await expect(cards(page)).toHaveCount(count);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
  }
  // Other criteria start with one page.
  await openLive(page, paths.reviews());
  await page.getByRole('link', { name: 'Load more reviews' }).click();
  await expect(cards(page)).toHaveCount(40);
  await page.getByLabel('Minimum rating').selectOption('1');
  await expect(cards(page)).toHaveCount(20);
  await page.reload();
  await expect(cards(page)).toHaveCount(20);
});

test('a page of reviews that arrives elsewhere leaves that page alone', async ({ page, most }) => {
  await openLive(page, paths.employer(most.id));
  const call = `**/api${apiPath(employerEndpoints.reviews, { params: { id: most.id } })}*`;
  const { release } = await hold(page, call);
  const answer = page.waitForResponse(call);
  await page.getByRole('link', { name: 'Show more', exact: true }).click();
  await browse(page);
  await expect(page).toHaveURL(paths.reviews());
  await expect(cards(page)).toHaveCount(20);
  release();
  await (await answer).finished();
  // Otherwise, a reload would load more pages than there were.
  expect(await page.evaluate(() => window.history.state.pages)).toBeUndefined();
});

test('a page of reviews that arrives late leaves the focus in the search', async ({ page }) => {
  await open(page);
  const { release } = await hold(page, LIST_CALL);
  await page.getByRole('link', { name: 'Load more reviews' }).click();
  await search(page).focus();
  release();
  await expect(cards(page)).toHaveCount(40);
  await page.keyboard.type('night');
  await expect(search(page)).toHaveValue('night');
});

test('a failed page keeps the list and can be retried', LONG, async ({ page }) => {
  await open(page);
  const more = page.getByRole('link', { name: 'Load more reviews' });
  const detail = 'Server error. Please try again later.';
  await expectFailures(page, LIST_CALL, () => more.click(), [
    [refuse(500, { detail }), `Failed to load reviews: ${detail}`],
  ]);
  await expect(cards(page)).toHaveCount(20);
  await more.click();
  await expect(cards(page)).toHaveCount(40);
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a failed reload replaces the list until a retry succeeds', LONG, async ({ page }) => {
  await open(page);
  await page.route(LIST_CALL, (route) => route.abort(), { times: 1 });
  await page.getByLabel('Minimum rating').selectOption('4');
  const alert = page.getByRole('alert');
  const lost = 'Failed to load reviews: Network error. Please check your internet connection.';
  await expect(alert).toContainText(lost);
  await expect(cards(page)).toHaveCount(0);
  await expect(page).toBeAccessible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page)).toHaveCount(20);
  await page.route(LIST_CALL, refuse(418, { message: 'Short and stout' }), { times: 1 });
  await page.getByLabel('Minimum rating').selectOption('3');
  await expect(alert).toContainText('Failed to load reviews: Short and stout');
});

test('says that there are no reviews, or no matching ones', async ({ page }) => {
  await open(page);
  await search(page).fill(NONSENSE);
  await expect(page.getByText('No reviews found')).toBeVisible();
  await says(page, 0);
  await expect(page).toBeAccessible();
  await page.route(LIST_CALL, (route) => route.fulfill({ json: EMPTY }));
  await page.getByRole('link', { name: 'Clear search and filters' }).click();
  await expect(page.getByText('No reviews yet')).toBeVisible();
  await expect(search(page)).toHaveValue('');
});

test('shows a skeleton only if the first load is slow', LONG, async ({ page }) => {
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

test('going back restores all pages, the scroll, and open reviews', async ({ page, server }) => {
  const query = { min_rating: 3, ...OLDEST };
  const { results } = await listOf(server, { ...query, page: 2 });
  const review = sure(results.findLast(({ pros }) => pros));
  await open(page, query);
  await page.getByRole('link', { name: 'Load more reviews' }).click();
  const card = cardOf(page, review);
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
    await expect(page).toHaveURL(paths.reviews(query));
    await expect(cards(page)).toHaveCount(40);
    await expect(card.getByRole('button', { name: 'Read less' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
  }
});

/** On another page, the focus moves to its content soon after the page is shown. */
const expectFocusMoved = (page: Page) => expect(page.getByRole('main')).toBeFocused();

async function skip(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Skip to main content' }).press('Enter');
  await expect(page).toHaveURL(/#main$/);
}

test('lists still sort, open, and go back after a link to a place on the page', async ({
  page,
  server,
}) => {
  const { results } = await listOf(server, OLDEST);
  const oldest = sure(results[0]);
  await openLive(page, paths.home());
  await skip(page);
  await browse(page);
  await expect(cards(page)).toHaveCount(20);
  await expectFocusMoved(page);
  await skip(page);
  await page.getByLabel('Sort by').selectOption('created_at');
  await expect(cards(page).first()).toContainText(oldest.review_text.slice(0, 40));
  await skip(page);
  await cards(page).first().getByRole('heading').getByRole('link').click();
  await expect(page).toHaveURL(paths.employer(oldest.employer.id));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectFocusMoved(page);
  await skip(page);
  await page.getByLabel('Sort by').selectOption('created_at');
  await expect(page).toHaveURL(paths.employer(oldest.employer.id, OLDEST));
  await expect(cards(page).first()).toBeVisible();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(cards(page).first()).toContainText(oldest.review_text.slice(0, 40));
});

test('the first page keeps its own list beside one after such a link', async ({ page, most }) => {
  await openLive(page, paths.employer(most.id));
  const own = await cards(page).count();
  const first = await cards(page).first().textContent();
  await browse(page);
  await expect(page).toHaveURL(paths.reviews());
  await expect(cards(page)).not.toHaveCount(own);
  await expectFocusMoved(page);
  await skip(page);
  await page.evaluate(() => window.history.go(-2));
  await expect(page).toHaveURL(paths.employer(most.id));
  await expect(cards(page)).toHaveCount(own);
  await expect(cards(page).first()).toHaveText(first ?? '');
});
