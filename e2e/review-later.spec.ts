import type { Page } from '@playwright/test';
import { apiPath } from '#contract/api-path.ts';
import type { Target } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { OwnReview, Review, ReviewRequest } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { call, refuse, sure } from './account.ts';
import { list } from './employers.ts';
import { expect, LONG, test } from './fixtures.ts';
import { button, dialog, follow, press } from './forms.ts';
import {
  fillReview,
  newEmployer,
  newName,
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

type Where = Parameters<typeof newReview>[2] & { by: string };

/** A scheduled review. Until its random minute is far off, it is withdrawn and scheduled again. */
async function farOff(
  server: TestServer,
  review: Review | null,
  changes: Partial<ReviewRequest>,
  where: Where,
): Promise<Review> {
  const as = where.by;
  let found = review;
  while (!found || Date.parse(found.created_at) < Date.now() + 3_600_000) {
    if (found) await call(server, reviewEndpoints.delete, { as, params: { id: found.id } });
    found = await newReview(server, { publish: 'later', ...changes }, where);
  }
  return found;
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
  const posted = sure((await ownReviewsOf(server, email))[0]);
  const where = { by: email, at: employer };
  const review = await farOff(server, posted, { position_title: title }, where);

  await follow(page, 'Go to my dashboard', paths.dashboard({ newReview: true }));
  await expect(page.getByText('Your review is scheduled.')).toBeVisible();
  const card = page.getByRole('listitem').filter({ hasText: title });
  await expect(card.getByText('Scheduled. Only you can see this review.')).toBeVisible();
  await expect(card.locator('time')).toBeVisible();
  await expect(card.getByRole('link', { name: /^(View|Link to this review)/ })).toHaveCount(0);
  await expect(page).toBeAccessible();
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
  await press(card, /^Publish now/);
  await expect(page).toBeAccessible();
  await button(page, 'Cancel').click();
  expect(await isPublic()).toEqual([404, 404, 0]);
  await page.route(`**${callOf(reviewEndpoints.publish, review.id)}`, refuse(500), { times: 1 });
  await press(card, /^Publish now/);
  await button(page, 'Publish now').click();
  await expect(dialog(page)).toContainText('Failed to publish review. Please try again.');
  await button(page, 'Publish now').click();
  await expect(page.getByRole('alert')).toHaveText('Your review is now live.');
  await expect(page.getByRole('heading', { name: 'My Reviews (1)' })).toBeFocused();
  await expect(card.getByText('Scheduled')).toHaveCount(0);
  expect(await isPublic()).toEqual([200, 200, 1]);
  await card.getByRole('link', { name: /^View/ }).click();
  await expect(page.getByText('Slept on it.')).toBeVisible();
});

test('a scheduled review of a new employer has no link to it, and is withdrawn', async ({
  page,
  server,
  doctor: { email },
}) => {
  const name = newName();
  const unlisted = { employer: name, is_custom_employer: 'true' } as const;
  const review = await farOff(server, null, unlisted, { by: email });
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

  await page.goto(paths.myReviews());
  const card = page.getByRole('listitem').filter({ hasText: review.position_title });
  await expect(card.getByText('Scheduled. Only you can see this review.')).toBeVisible();
  await press(card, /^Withdraw/);
  await expect(dialog(page)).toContainText('Withdraw this review? It will not be published');
  await expect(page).toBeAccessible();
  await button(page, 'Withdraw').click();
  await expect(page.getByRole('alert')).toContainText('Your review was withdrawn.');
  await expect(dialog(page)).toHaveCount(0);
  await expect(card).toHaveCount(0);
  expect(await ownReviewsOf(server, email)).toEqual([]);
});

test(
  'a review that could not go live says why',
  LONG,
  async ({ page, server, doctor: { email } }) => {
    const review = await farOff(server, null, {}, { by: email });
    const json = [{ ...review, status: 'held' } satisfies Review & Pick<OwnReview, 'status'>];
    await page.route(OWN_CALL, (route) => route.fulfill({ json }));
    await page.goto(paths.dashboard());
    await expect(page.getByText('Not published. Only you can see this review.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Publish now/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Withdraw/ })).toBeVisible();
    await expect(page).toBeAccessible();
    await page.getByRole('link', { name: /^Edit/ }).click();
    await expect(page.getByLabel('Review Summary *')).toHaveValue(review.review_text);
  },
);
