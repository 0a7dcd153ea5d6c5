import { apiPath } from '#contract/api-path.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, PHONE, refuse, requestsOf, signIn } from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { follow, press } from './forms.ts';
import { banner, newPoster, newReview, OWN_CALL, ownReviewsOf, someEmployers } from './review.ts';

test('the dashboard shows five, and five more after half a second', async ({ page, server }) => {
  const { email, first_name, last_name } = await newPoster(server);
  for (const at of await someEmployers(server, 6)) await newReview(server, {}, { by: email, at });
  await signIn(page, server, email);
  await page.clock.install();
  await page.goto(paths.dashboard());
  await expect(page.getByRole('heading', { name: 'My Reviews (6)' })).toBeVisible();
  const welcome = page.getByRole('heading', { level: 1 });
  await expect(welcome).toContainText(`${first_name} ${last_name}`);
  await expect(page.getByRole('article')).toHaveCount(5);
  await expect(page).toBeAccessible();
  // From here on, the test controls the clock.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await press(page, 'Load more reviews');
  await page.clock.runFor(450);
  await expect(page.getByRole('article')).toHaveCount(5);
  await page.clock.runFor(100);
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('button', { name: 'Load more reviews' })).toBeHidden();

  const links = page.getByRole('navigation', { name: 'Quick links' });
  for (const [name, href] of [
    ['Write a review', paths.createReview()],
    ['My account', paths.profile()],
  ] as const) {
    await expect(links.getByRole('link', { name })).toHaveAttribute('href', href);
  }
  await page.setViewportSize(PHONE);
  await expect(links).toBeHidden();
});

test('deleting asks first, reports success, and updates the counts', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const changes = { overall_rating: 2, would_recommend: false };
  const kept = await newReview(server, changes, { by: email });
  const gone = await newReview(server, { overall_rating: 5 }, { by: email });
  await signIn(page, server, email, paths.myReviews());
  const figure = (term: string) =>
    page.getByRole('main').locator('dl > div').filter({ hasText: term }).locator('dd');
  await expect(figure('Total reviews')).toHaveText('2');
  await expect(figure('Recommended')).toHaveText('1');
  await expect(figure('Average rating')).toHaveText('3.5');
  const write = page.getByRole('link', { name: 'Write a review' }).first();
  await expect(write).toHaveAttribute('href', paths.reviewsCreate());
  await expect(page).toBeAccessible();

  const card = page.getByRole('listitem').filter({ hasText: gone.position_title });
  await expect(card.getByRole('button', { name: 'Read more' })).toHaveCount(0);
  const open = card.getByRole('button', { name: /^Delete/ });
  const dialog = page.getByRole('dialog');
  await open.click();
  const question = 'Are you sure you want to delete this review? This action cannot be undone.';
  await expect(dialog).toContainText(question);
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();

  await page.route(
    `**/api${apiPath(reviewEndpoints.read, { params: { id: gone.id } })}`,
    refuse(500),
  );
  await open.press('Enter');
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Failed to delete review. Please try again.');
  await expect(page).toBeAccessible();
  await page.keyboard.press('Escape');
  await page.unrouteAll();

  await open.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('alert')).toHaveText('Review deleted successfully');
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Your reviews' })).toBeFocused();
  await expect(figure('Total reviews')).toHaveText('1');
  await expect(figure('Recommended')).toHaveText('0');
  await expect(figure('Average rating')).toHaveText('2.0');
  expect((await ownReviewsOf(server, email)).map(({ id }) => id)).toEqual([kept.id]);

  await page.goto(paths.dashboard());
  await page.getByRole('button', { name: /^Delete/ }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'My Reviews (0)' })).toBeFocused();
  await expect(page.getByRole('alert')).toHaveText('Review deleted successfully');
  await expect(page.getByText('No reviews yet')).toBeVisible();
  await expect(page).toBeAccessible();
});

test('a hidden review says what it waits for, and can be deleted', async ({ page, server }) => {
  await page.route(OWN_CALL, async (route) => {
    const answer = await route.fetch();
    const [first] = (await answer.json()) as OwnReview[];
    const removed_reason = 'A moderator is going to look at this review.';
    await route.fulfill({ json: [{ ...first, removed_reason }] });
  });
  await signIn(page, server, DEMO.doctor, paths.dashboard());
  const text = 'Hidden until a moderator has looked at it. Only you can see this review.';
  const first = page.getByRole('listitem').filter({ hasText: text });
  await expect(first.getByRole('button', { name: /^Delete/ })).toBeVisible();
  await expect(first.getByRole('link', { name: /^(Edit|View)/ })).toHaveCount(0);
  await expect(page).toBeAccessible();
});

for (const [name, path] of [
  ['dashboard', paths.dashboard()],
  ['my reviews', paths.myReviews()],
] as const) {
  test(`${name}: says why the list is missing`, async ({ page, signedIn }) => {
    await signedIn(DEMO.doctor);
    await page.route(OWN_CALL, refuse(403), { times: 1 });
    await page.goto(path);
    const text = 'You need a verified doctor profile to view reviews. Please contact support.';
    await expect(banner(page)).toHaveText(text);
    await expect(page).toBeAccessible();
    await page.route(OWN_CALL, refuse(500), { times: 1 });
    await press(page, 'Try again');
    await expect(banner(page)).toHaveText('Failed to load your reviews.');
    await page.route(OWN_CALL, refuse(401));
    await press(page, 'Try again');
    await expect(page).toHaveURL(paths.login({ expired: true }));
  });
}

test(
  'both say that verification is under way, without an error',
  LONG,
  async ({ page, signedIn }) => {
    const { path: own } = reviewEndpoints.listOwn;
    const asked = requestsOf(page, (request) => request.url().includes(own));
    await signedIn(DEMO.pending);
    for (const path of [paths.dashboard(), paths.myReviews()]) {
      await page.goto(path);
      const main = page.getByRole('main');
      await expect(main.getByText('We are still verifying you')).toBeVisible();
      await expect(main.getByRole('alert')).toHaveCount(0);
      await expect(main.getByRole('button', { name: 'Try again' })).toHaveCount(0);
      await expect(main.getByRole('link', { name: 'Write a review' })).toHaveCount(0);
      await expect(page).toBeAccessible();
      await follow(main, 'See the checks', paths.verificationRequired());
    }
    expect(asked).toEqual([]);
  },
);

test('a review has its own page until it is deleted', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const review = await newReview(server, { pros: 'Quiet pagers' }, { by: email });
  const answer = await page.goto(paths.review(review.id));
  expect(answer?.status()).toBe(200);
  expect(await answer?.text()).toContain(review.review_text);
  await expect(page.getByText('Quiet pagers')).toBeVisible();
  await expect(page.getByRole('link', { name: /^(Edit|Delete)/ })).toHaveCount(0);
  await expect(page).toBeAccessible();
  for (const id of [crypto.randomUUID(), 'no-id', '..%2Femployers']) {
    expect((await page.goto(`/reviews/${id}`))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Review not found' })).toBeVisible();
  }
});
