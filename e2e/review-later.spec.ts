import type { Page } from '@playwright/test';
import { apiPath } from '#contract/api-path.ts';
import type { Target } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { OwnReview, Review, ReviewRequest } from '#contract/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { call, refuse, signIn } from './account.ts';
import { list } from './employers.ts';
import { expect, test } from './fixtures.ts';
import {
  anEmployer,
  banner,
  fillReview,
  loseResponse,
  newEmployer,
  newPoster,
  newReview,
  newTitle,
  OWN_CALL,
  openForm,
  ownReviewsOf,
  submit,
} from './review.ts';
import type { TestServer } from './server.ts';

const LATER = 'At a random time in the next 3 days';
const later = (page: Page) => page.getByRole('radio', { name: LATER });
const scheduled = (page: Page) => page.getByRole('heading', { name: 'Review Scheduled!' });
const statusOf = async (server: TestServer, path: string) =>
  (await fetch(`${server.url}${path}`)).status;
const callOf = (endpoint: Target, id: string | number) =>
  `/api${apiPath(endpoint, { params: { id } })}`;

async function schedule(server: TestServer, by: string, changes: Partial<ReviewRequest> = {}) {
  const employer = await newEmployer(server);
  const review = await newReview(server, { publish: 'later', ...changes }, { by, at: employer });
  return { employer, review };
}

test('a review is scheduled, edited, and published right away', async ({ page, server }) => {
  const employer = await newEmployer(server);
  const title = newTitle();
  const { email } = await newPoster(server);
  await openForm(page, server, { email, employer });
  await fillReview(page, { title });
  await expect(page.getByRole('radio', { name: 'Now', exact: true })).toBeChecked();
  await later(page).check();
  await expect(page).toBeAccessible();
  await page.reload();
  await expect(later(page)).toBeChecked();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await submit(page);
  expect((await sent).postDataJSON()).toMatchObject({ publish: 'later' });
  await expect(scheduled(page)).toBeFocused();
  const thanks =
    'Thank you for sharing your experience. Your review will go live at a random time in the next 3 days.';
  await expect(page.getByText(thanks)).toBeVisible();
  await expect(page).toBeAccessible();

  await page.getByRole('link', { name: 'Go to my dashboard' }).click();
  await expect(page).toHaveURL(paths.dashboard({ newReview: true }));
  await expect(page.getByText('Your review is scheduled.')).toBeVisible();
  const card = page.getByRole('listitem').filter({ hasText: title });
  await expect(card.getByText('Scheduled. Only you can see this review.')).toBeVisible();
  await expect(card.locator('time')).toBeVisible();
  await expect(card.getByRole('link', { name: /^(View|Link to this review)/ })).toHaveCount(0);
  await expect(page).toBeAccessible();
  const [review] = await ownReviewsOf(server, email);
  if (!review) throw new Error('no review');
  const params = { id: employer.id };
  const isPublic = async () => [
    await statusOf(server, callOf(reviewEndpoints.read, review.id)),
    await statusOf(server, paths.review(review.id)),
    (await call(server, employerEndpoints.read, { params })).total_reviews,
  ];
  expect(await isPublic()).toEqual([404, 404, 0]);

  await card.getByRole('link', { name: /^Edit/ }).click();
  await expect(page.getByRole('heading', { name: 'Edit Review' })).toBeVisible();
  await expect(page.getByLabel('Position Title *')).toHaveValue(title);
  await expect(later(page)).toHaveCount(0);
  await page.getByLabel('Review Summary *').fill('Slept on it.');
  await page.getByRole('button', { name: 'Update Review' }).click();
  await expect(page.getByRole('heading', { name: 'Review Updated!' })).toBeVisible();
  expect(await isPublic()).toEqual([404, 404, 0]);

  await page.getByRole('link', { name: 'Go to my dashboard' }).click();
  await expect(card.getByText('Slept on it.')).toBeVisible();
  const dialog = page.getByRole('dialog');
  await card.getByRole('button', { name: /^Publish now/ }).click();
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await isPublic()).toEqual([404, 404, 0]);
  await page.route(`**${callOf(reviewEndpoints.publish, review.id)}`, refuse(500));
  await card.getByRole('button', { name: /^Publish now/ }).click();
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  await expect(dialog).toContainText('Failed to publish review. Please try again.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await page.unrouteAll();
  await card.getByRole('button', { name: /^Publish now/ }).click();
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  await expect(dialog).toContainText('Your review is now live.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('heading', { name: 'My Reviews (1)' })).toBeFocused();
  await expect(card.getByText('Scheduled')).toHaveCount(0);
  expect(await isPublic()).toEqual([200, 200, 1]);
  await card.getByRole('link', { name: /^View/ }).click();
  await expect(page.getByText('Slept on it.')).toBeVisible();
});

test('a scheduled review is withdrawn', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const { review } = await schedule(server, email);
  await signIn(page, server, email);
  await page.goto(paths.myReviews());
  const card = page.getByRole('listitem').filter({ hasText: review.position_title });
  await expect(card.getByText('Scheduled. Only you can see this review.')).toBeVisible();
  const dialog = page.getByRole('dialog');
  await card.getByRole('button', { name: /^Withdraw/ }).click();
  await expect(dialog).toContainText('Withdraw this review? It will not be published');
  await expect(page).toBeAccessible();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(dialog).toContainText('Your review was withdrawn.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(card).toHaveCount(0);
  expect(await ownReviewsOf(server, email)).toEqual([]);
});

test('shows a new employer by name, without a link', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const name = `Quill ${crypto.randomUUID().slice(0, 8)} Clinic`;
  await schedule(server, email, { employer: name, is_custom_employer: 'true' });
  await signIn(page, server, email);
  await page.goto(paths.dashboard());
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  await expect(page).toBeAccessible();
  await page.getByRole('link', { name: /^Edit/ }).click();
  await expect(page.getByRole('heading', { name: 'Edit Review' })).toBeVisible();
  await expect(page.getByRole('main').getByText(name)).toBeVisible();
  await expect(page.getByLabel('Review Summary *')).not.toHaveValue('');
  const { results } = await list(server, { search: name });
  expect(results.map((employer) => employer.name)).not.toContain(name);
});

test('a double click and a lost response create one scheduled review', async ({ page, server }) => {
  const { email } = await newPoster(server);
  await openForm(page, server, { email, employer: await anEmployer(server) });
  await fillReview(page);
  await later(page).check();
  await page.getByRole('button', { name: 'Submit Review' }).dblclick();
  await expect(scheduled(page)).toBeVisible();
  expect(await ownReviewsOf(server, email)).toHaveLength(1);

  await openForm(page, server, { email, employer: await newEmployer(server) });
  await fillReview(page);
  await later(page).check();
  await loseResponse(page);
  await submit(page);
  await expect(scheduled(page)).toBeVisible();
  expect(await ownReviewsOf(server, email)).toHaveLength(2);
});

test('a second review of the same job links to the scheduled one', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const { employer, review } = await schedule(server, email);
  await openForm(page, server, { email, employer });
  await fillReview(page, { title: review.position_title.toUpperCase(), text: 'Something else.' });
  await submit(page);
  await expect(banner(page)).toContainText('You have already reviewed this employer');
  await page.getByRole('link', { name: 'Edit your existing review' }).click();
  await expect(page.getByLabel('Review Summary *')).toHaveValue(review.review_text);
});

test('a review that could not go live says why', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const { review } = await schedule(server, email);
  const json = [{ ...review, status: 'held' } satisfies Review & Pick<OwnReview, 'status'>];
  await page.route(OWN_CALL, (route) => route.fulfill({ json }));
  await signIn(page, server, email);
  await page.goto(paths.dashboard());
  await expect(page.getByText('Not published. Only you can see this review.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Publish now/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Withdraw/ })).toBeVisible();
  await expect(page).toBeAccessible();
  await page.getByRole('link', { name: /^Edit/ }).click();
  await expect(page.getByLabel('Review Summary *')).toHaveValue(review.review_text);
});

test('nobody else can open it for editing', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const { review } = await schedule(server, email);
  const other = await newPoster(server);
  await signIn(page, server, other.email);
  await page.goto(paths.editReview(review.id));
  await expect(banner(page)).toHaveText('Failed to load review data. Please try again.');
  const publish = call(server, reviewEndpoints.publish, {
    as: other.email,
    params: { id: review.id },
  });
  await expect(publish).rejects.toThrow(': 404');
});
