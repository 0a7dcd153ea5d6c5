import type { Page } from '@playwright/test';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { maskNpi } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, hold, logIn, tokensFor } from './account.ts';
import { expect, test } from './fixtures.ts';
import { expectTexts, follow } from './forms.ts';

const EDIT = paths.editReview('00000000-0000-4000-8000-000000000000');
/** The second path of the review form. */
const CREATE_TOO = '/reviews/create';

const opens = async (page: Page, path: string, url: string) => {
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page, path).toHaveURL(url);
};

/** Asserts that a page opens and does not redirect. */
const stays = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path, { waitUntil: 'commit' });
  const shown = page.getByRole('main').getByRole('heading', { name: heading }).first();
  await expect(shown).toBeVisible();
  await expect(page, path).toHaveURL(path);
};

test('signed out: redirects to the login and back', async ({ page }) => {
  const { dashboard, myReviews, profile, createReview } = paths;
  for (const path of [dashboard(), myReviews(), profile(), CREATE_TOO, createReview(), EDIT])
    await opens(page, path, `/login?redirect=${encodeURIComponent(path.slice(1))}`);
  const chosen = paths.createReview({ employer: 1 });
  await opens(page, chosen, '/login?redirect=create-review&employer=1');
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(chosen);
});

test('not verified: an explanation with a masked NPI', async ({ page, server, signedIn }) => {
  await signedIn(DEMO.pending);
  await stays(page, paths.dashboard(), /^Welcome/);
  await stays(page, paths.myReviews(), 'My Reviews');
  await stays(page, paths.profile(), 'My Account');
  await opens(page, CREATE_TOO, paths.verificationRequired());
  await opens(page, EDIT, paths.verificationRequired());
  await opens(page, paths.createReview(), paths.verificationRequired());
  const { doctor } = await tokensFor(server, DEMO.pending);
  await expect(page.getByText(/account is pending verification/)).toBeVisible();
  await expect(page.getByText(/once an administrator verifies your credentials/)).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).toContainText(doctor?.user.username ?? '?');
  await expect(main).toContainText(maskNpi(doctor?.npi));
  await expect(main).not.toContainText(doctor?.npi ?? '?');
  await expect(main.getByText('Unverified')).toBeVisible();
  await expect(main.getByText('Passed', { exact: true })).toHaveCount(4);
  await expect(main.getByText('Not passed')).toHaveCount(1);
  await expect(main.getByRole('button', { name: 'Check again' })).toBeVisible();
  await follow(main, 'Go to my profile', paths.profile());
});

test('verified without permission to post: the profile says why', async ({ page, signedIn }) => {
  const text =
    /^You can read reviews, but you can’t post\. .+ write to support@curbside\.example\.$/;
  await signedIn(DEMO.readonly);
  await stays(page, EDIT, 'Edit Review');
  await opens(page, CREATE_TOO, paths.profile());
  await opens(page, paths.createReview(), paths.profile());
  const notice = page.getByRole('main').getByRole('status');
  await expect(notice).toHaveText(text);
  await expect(page).toBeAccessible();
  const posting = page.locator('dl > div').filter({ hasText: 'Not allowed' });
  await expect(posting).toContainText('support@curbside.example');
  // The notice is about this redirect; the status stays.
  await page.reload();
  await expect(posting).toContainText('support@curbside.example');
  await expect(notice).toBeHidden();
});

test('verified with permission to post: full access', async ({ page, signedIn }) => {
  await signedIn(DEMO.doctor);
  const { release } = await hold(page, `**/api${sessionEndpoints.user.path}`);
  await page.goto(paths.profile());
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  await stays(page, paths.createReview({ employer: 1 }), 'Write a Review');
  await stays(page, CREATE_TOO, 'Write a Review');
  await stays(page, EDIT, 'Edit Review');
  await stays(page, paths.dashboard(), /^Welcome/);
  await stays(page, paths.myReviews(), 'My Reviews');
  await page.goto(paths.verificationRequired());
  await expect(page.getByText(/verified doctor profile with an active license/)).toBeVisible();
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
});

test('an administrator who is not a doctor: the explanation', async ({ page, signedIn }) => {
  await signedIn(DEMO.admin);
  await opens(page, paths.createReview(), paths.verificationRequired());
  await expectTexts(page, /verified doctor profile with an active license/, 'Not on file');
});

test('a verification takes effect without a reload', async ({ page, server, signedIn }) => {
  // The page first gets the earlier state.
  const { doctor: json } = await tokensFor(server, DEMO.pending);
  const call = `**/api${sessionEndpoints.doctor.path}`;
  await page.route(call, (route) => route.fulfill({ json }), { times: 1 });
  await signedIn(DEMO.doctor);
  await stays(page, paths.createReview(), 'Write a Review');
});
