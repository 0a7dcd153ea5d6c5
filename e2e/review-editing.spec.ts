import { apiPath } from '#contract/api-path.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, hold, refuse, requestsOf, signIn } from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { expectTexts, expectValues, follow } from './forms.ts';
import { anEmployer, banner, nameOf, newReview, ownReviewsOf, rate, stars } from './review.ts';

const LOADING = `**/api${reviewEndpoints.listOwn.path}`;
const callOf = (id: string) => `**/api${apiPath(reviewEndpoints.edit, { params: { id } })}`;

test('shows the current review, saves changes, and confirms', async ({ page, server }) => {
  const changes = { immigration_support_rating: 5, would_recommend: false };
  const employer = await anEmployer(server);
  const review = await newReview(server, changes, { at: employer });
  await signIn(page, server, DEMO.doctor);
  // The length of a public response would tell an observer of the network which employer it is.
  const told = requestsOf(page, (request) =>
    /\/api\/(employers|reviews)\/[^m]/.test(request.url()),
  );
  const loading = await hold(page, LOADING);
  await page.goto(paths.editReview(review.id));
  await expect(page.getByText('Loading Review...')).toBeVisible();
  loading.release();

  await expect(page.getByRole('heading', { name: 'Edit Review' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByText(nameOf(employer))).toBeVisible();
  await expectTexts(main, `· ${employer.employer_type_display}`, 'cannot be changed when editing');
  await expect(page.getByRole('combobox', { name: 'Employer' })).toHaveCount(0);
  await expect(page.getByLabel('Review Summary *')).toHaveValue(review.review_text);
  await expect(page.getByLabel('Position Title *')).toHaveValue(review.position_title);
  await expectValues(page, { 'Start Year *': '2019', 'End Year': '2022' });
  await expect(page.getByRole('radio', { name: 'No', exact: true })).toBeChecked();
  const immigration = stars(page, 'Immigration support (optional)');
  await expect(immigration.getByRole('radio', { name: '5 stars' })).toBeChecked();
  await expect(page).toBeAccessible();
  expect(told).toEqual([]);

  await rate(page, 'Immigration support (optional)', 5);
  await rate(page, 'Overall rating *', 1);
  await page.getByLabel('I currently work here').check();
  const saving = await hold(page, callOf(review.id));
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Update Review' }).click();
  const body = (await sent).postDataJSON();
  expect(body).toMatchObject({ employer: String(employer.id), overall_rating: 1, end_year: null });
  expect(body).not.toHaveProperty('immigration_support_rating');
  await expect(page.getByRole('button', { name: 'Updating Review...' })).toBeVisible();
  saving.release();
  await expect(page.getByRole('heading', { name: 'Review Updated!' })).toBeVisible();
  await expect(page.getByText('Your review has been successfully updated.')).toBeVisible();
  await follow(page, 'Go to my dashboard', paths.dashboard({ updatedReview: true }));
  await expect(page.getByText('Your review has been updated.')).toBeVisible();
  const stored = (await ownReviewsOf(server, DEMO.doctor)).find(({ id }) => id === review.id);
  expect(stored).toMatchObject({ overall_rating: 1, immigration_support_rating: null });
});

test("checks in the documented order, and shows the server's errors", async ({ page, server }) => {
  const review = await newReview(server);
  await signIn(page, server, DEMO.doctor, paths.editReview(review.id));
  const update = page.getByRole('button', { name: 'Update Review' });
  await page.getByLabel('Review Summary *').fill(' ');
  await rate(page, 'Overall rating *', review.overall_rating);
  await update.click();
  await expect(banner(page)).toHaveText('Please provide an overall rating');
  await rate(page, 'Overall rating *', 2);
  await update.click();
  await expect(banner(page)).toHaveText('Please write a review summary');
  await page.getByLabel('Review Summary *').fill('Better since.');
  await page.route(callOf(review.id), refuse(500));
  await update.click();
  await expect(banner(page)).toHaveText('Failed to update review. Please try again.');
  await page.unroute(LOADING);

  await page.reload();
  await expect(page.getByText('Pick up where you left off.')).toBeVisible();
  await expect(page.getByLabel('Review Summary *')).toHaveValue('Better since.');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByLabel('Review Summary *')).toHaveValue(review.review_text);
});

test("someone else's review cannot be loaded", LONG, async ({ page, server }) => {
  const failed = 'Failed to load review data. Please try again.';
  const review = await newReview(server);
  await signIn(page, server, DEMO.readonly, paths.editReview(review.id));
  await expect(banner(page)).toHaveText(failed);
  await expect(page.getByLabel('Review Summary *')).toHaveCount(0);
  await signIn(page, server, DEMO.doctor, paths.editReview(crypto.randomUUID()));
  await expect(banner(page)).toHaveText(failed);
  await page.route(LOADING, (route) => route.abort());
  await page.goto(paths.editReview(review.id));
  await expect(banner(page)).toHaveText(failed);
  await page.unroute(LOADING);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByLabel('Review Summary *')).toHaveValue(review.review_text);
});
