import type { Page } from '@playwright/test';
import type { Review } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, logIn, OFTEN, PHONE, requestsOf, sure } from './account.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { newEmployer, newPoster, postReviews } from './review.ts';
import { cardOf, helpfulCount, listOf, OLDEST, VOTES_CALL } from './reviews-page.ts';
import type { TestServer } from './server.ts';

const reviewsOn = async (server: TestServer, page: number) =>
  (await listOf(server, { ...OLDEST, page })).results;

const voteLink = (page: Page, review: Review, name: RegExp) =>
  cardOf(page, review).getByRole('link', { name });
const voteButton = (page: Page, review: Review, name: RegExp) =>
  cardOf(page, review).getByRole('button', { name });

test('a vote before the login counts after it, for the same review', async ({ page, server }) => {
  const voter = await newPoster(server);
  const review = sure((await reviewsOn(server, 1)).at(-1));
  const before = await helpfulCount(server, review);
  await openLive(page, paths.reviews(OLDEST), PHONE);
  await voteLink(page, review, /^Helpful/).click();
  await expect(page.getByText('Sign in, and your vote will count.')).toBeVisible();
  await expect(page).toBeAccessible();
  await logIn(page, voter.email);

  await expect(page).toHaveURL(paths.reviews(OLDEST));
  const button = voteButton(page, review, /^Helpful/);
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toBeInViewport();
  await expect(button).toBeFocused();
  await expect.poll(() => helpfulCount(server, review), OFTEN).toBe(before + 1);

  // The vote before the login is cast only once, so it does not undo what the reader does next.
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => helpfulCount(server, review), OFTEN).toBe(before);
  const votes = page.waitForResponse(VOTES_CALL);
  await page.reload();
  await (await votes).finished();
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  expect(await helpfulCount(server, review)).toBe(before);
});

test('a vote on a review of a later page returns to that review', async ({ page, server }) => {
  const voter = await newPoster(server);
  const review = sure((await reviewsOn(server, 2)).at(-1));
  await openLive(page, paths.reviews(OLDEST));
  await page.getByRole('link', { name: 'Load more reviews' }).click();
  await voteLink(page, review, /^Not helpful/).click();
  await logIn(page, voter.email);
  await expect(page).toHaveURL(paths.review(review.id));
  await expect(voteButton(page, review, /^Not helpful/)).toHaveAttribute('aria-pressed', 'true');
});

test("a vote on an employer's page counts there", async ({ page, server }) => {
  const voter = await newPoster(server);
  const employer = await newEmployer(server);
  const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
  const review = sure((await postReviews(server, DEMO.doctor, employer, texts))[0]);
  await openLive(page, paths.employer(employer.id));
  await voteLink(page, review, /^Helpful/).click();
  await logIn(page, voter.email);
  await expect(page).toHaveURL(paths.employer(employer.id));
  const button = voteButton(page, review, /^Helpful/);
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toBeInViewport();
});

test('a login without a vote casts none, even after an abandoned one', async ({ page, server }) => {
  const voter = await newPoster(server);
  const review = sure((await reviewsOn(server, 1))[0]);
  const votes = requestsOf(page, (request) => /helpful/.test(request.url()));
  await openLive(page, paths.reviews(OLDEST));
  await voteLink(page, review, /^Helpful/).click();
  await expect(page.getByText('Sign in, and your vote will count.')).toBeVisible();
  await page.goBack();
  await voteLink(page, review, /^Helpful/).waitFor();
  // A URL without a tap does not cast a vote.
  await page.goto(paths.login({ redirect: `reviews?ordering=created_at&vote=${review.id}` }));
  await logIn(page, voter.email);
  await expect(voteButton(page, review, /^Helpful/)).toHaveAttribute('aria-pressed', 'false');
  expect(votes).toEqual([]);
});

test('a vote that is not allowed says so after the login', async ({ page, server }) => {
  const review = sure((await reviewsOn(server, 1))[0]);
  await openLive(page, paths.reviews(OLDEST));
  await voteLink(page, review, /^Helpful/).click();
  await logIn(page, DEMO.pending);
  await expect(page.getByText('Only verified doctors can mark reviews as helpful.')).toBeVisible();
  await expect(voteButton(page, review, /^Helpful/)).toHaveAttribute('aria-pressed', 'false');
});
