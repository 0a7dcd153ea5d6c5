import type { Request } from '@playwright/test';
import type { Employer } from '#contract/employers/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { DASHBOARD_PAGE_SIZE } from '#contract/limits.ts';
import type { OwnReview, ReviewRequest } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, draftKeys, hold, logIn, PHONE, refuse, requestsOf } from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { expectValues, fill, follow, press } from './forms.ts';
import {
  anEmployer,
  banner,
  fillReview,
  loseResponse,
  nameOf,
  newPoster,
  newReview,
  newTitle,
  OWN_CALL,
  openForm,
  ownReviewsOf,
  REVIEWS_CALL,
  rate,
  reviewOf,
  sendReview,
  someEmployers,
  submit,
  submitted,
} from './review.ts';

const isPost = (request: Request) =>
  request.method() === 'POST' && request.url().endsWith(reviewEndpoints.create.path);

test('sends the payload, confirms, and starts with an empty form', async ({ page, server }) => {
  const employer = await anEmployer(server);
  const title = newTitle();
  const { email } = await newPoster(server);
  const earlier = await someEmployers(server, DASHBOARD_PAGE_SIZE + 1);
  for (const at of earlier) await newReview(server, {}, { by: email, at });
  // Reviews of the same minute have no order.
  await page.route(OWN_CALL, async (route) => {
    const own: OwnReview[] = await (await route.fetch()).json();
    const isNew = (review: OwnReview) => Number(review.position_title === title);
    await route.fulfill({ json: own.toSorted((a, b) => isNew(a) - isNew(b)) });
  });
  await openForm(page, server, { email, employer });
  await fillReview(page, { title, text: '  Six years,\nwell spent.  ' });
  await page.getByLabel('Pros').fill('People');
  await page.getByLabel('I currently work here').check();
  const { release } = await hold(page, REVIEWS_CALL);
  const sent = page.waitForRequest(isPost);
  await submit(page);
  expect((await sent).postDataJSON()).toEqual(
    reviewOf(employer, {
      review_text: 'Six years,\nwell spent.',
      pros: 'People',
      position_title: title,
      end_year: null,
      is_current_employee: true,
    }),
  );
  const busy = page.getByRole('button', { name: 'Submitting Review...' });
  await expect(busy).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(submitted(page)).toBeFocused();
  const thanks = 'Thank you for sharing your experience. Your review is now live.';
  await expect(page.getByText(thanks)).toBeVisible();
  await expect(page).toBeAccessible();
  await follow(page, 'Go to my dashboard', paths.dashboard({ newReview: true }));
  await expect(page.getByText('Your new review has been posted.')).toBeVisible();
  await expect(page.getByText(title)).toBeInViewport();
  await page.goto(paths.reviewsCreate());
  await expect(page.getByRole('combobox', { name: 'Employer' })).toBeVisible();
  await expectValues(page, { 'Review Summary *': '', Pros: '' });
});

test('a double click, and Enter twice, create one review', LONG, async ({ page, server }) => {
  const employer = await anEmployer(server);
  const posts = requestsOf(page, isPost);
  await openForm(page, server, { employer });
  await fillReview(page);
  await page.getByRole('button', { name: 'Submit Review' }).dblclick();
  await expect(submitted(page)).toBeVisible();
  expect(posts).toHaveLength(1);

  await openForm(page, server, { employer });
  await fillReview(page);
  const { release } = await hold(page, REVIEWS_CALL);
  await page.getByRole('button', { name: 'Submit Review' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByLabel('I currently work here').focus();
  await page.keyboard.press('Enter');
  release();
  await expect(submitted(page)).toBeVisible();
  expect(posts).toHaveLength(2);
});

for (const again of ['right away', 'after a reload'] as const) {
  test(`sent again after a lost response, ${again}`, LONG, async ({ page, server }) => {
    const title = newTitle();
    await openForm(page, server);
    const name = `${title} Clinic`;
    await page.getByRole('combobox', { name: 'Employer' }).fill(name);
    await page.getByRole('option', { name: `${name} (Custom hospital)` }).click();
    await fillReview(page, { title, text: '  Long nights,\ngood company.  ' });
    await rate(page, 'Immigration support (optional)', 2);
    await loseResponse(page);
    await expect(banner(page)).toBeFocused();
    if (again === 'after a reload') {
      await page.reload();
      await expect(page.getByText('Pick up where you left off.')).toBeVisible();
    }
    const sent = page.waitForRequest(isPost);
    await submit(page);
    const { employer, is_custom_employer } = (await sent).postDataJSON() as ReviewRequest;
    expect([employer, is_custom_employer]).toEqual([name, 'true']);
    await expect(submitted(page)).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(await draftKeys(page)).toEqual([]);
    const titles = (await ownReviewsOf(server, DEMO.doctor)).map((own) => own.position_title);
    expect(titles.filter((one) => one === title)).toHaveLength(1);
  });
}

test('a second review of the same job links to the first', async ({ page, server }) => {
  const employer = await anEmployer(server);
  const first = await newReview(server, {}, { at: employer });
  await openForm(page, server, { employer });
  await fillReview(page, { title: first.position_title.toUpperCase(), text: 'Something else.' });
  await submit(page);
  await expect(banner(page)).toContainText('You have already reviewed this employer');
  await follow(page, 'Edit your existing review', paths.editReview(first.id));
  await expect(page.getByLabel('Review Summary *')).toHaveValue(first.review_text);
});

test('shows errors in the banner and can be sent later', async ({ page, context, server }) => {
  await openForm(page, server, { employer: await anEmployer(server) });
  await fillReview(page);
  const answers = [
    [400, { detail: 'The detail.', pros: ['Not this.'] }, 'The detail.'],
    [400, { pros: ['First of a field.'], cons: ['Second.'] }, 'First of a field.'],
    [429, { detail: 'Too many reviews today.' }, 'Too many reviews today.'],
    [500, {}, 'Failed to create review. Please try again.'],
  ] as const;
  for (const [status, body, text] of answers) {
    await page.route(REVIEWS_CALL, refuse(status, body));
    await submit(page);
    await expect(banner(page)).toHaveText(text);
    await expect(banner(page)).toBeInViewport();
    await page.unroute(REVIEWS_CALL);
    await page.getByLabel('Cons').fill(text);
    await expect(banner(page)).toBeHidden();
  }
  await context.setOffline(true);
  await submit(page);
  await expect(banner(page)).toContainText('Network error: ');
  await expect(banner(page)).toContainText('What you typed is saved in this browser.');
  await context.setOffline(false);
  await expect(page).toBeAccessible();
  await sendReview(page);
});

test('keeps the text if the session ends meanwhile', LONG, async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const employer = await anEmployer(server);
  await openForm(page, server, { employer });
  await fillReview(page, { text: 'Typed before the session ended.' });
  await page.route(REVIEWS_CALL, refuse(401));
  await page.route(`**/api${sessionEndpoints.refresh.path}`, refuse(401));
  const leaves = page.waitForURL(paths.login({ expired: true }));
  await submit(page);
  await leaves;
  await page.unrouteAll();
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(paths.dashboard());
  const unfinished = page.getByRole('region', { name: 'Your unfinished review' });
  await expect(unfinished).toContainText(nameOf(employer));
  await expect(unfinished).toBeInViewport();
  await expect(page).toBeAccessible('light', 'dark');
  await unfinished.getByRole('link', { name: 'Continue your review' }).click();
  await expect(page.getByText('We saved your draft.')).toBeVisible();
  await expect(page.getByLabel('Review Summary *')).toHaveValue('Typed before the session ended.');
  await expect(page.getByRole('textbox', { name: 'Employer' })).toHaveValue(nameOf(employer));
  await sendReview(page);
});

test('identifiers are shown, whoever finds them', LONG, async ({ page, server }) => {
  await openForm(page, server, { employer: await anEmployer(server) });
  await fillReview(page, { text: '  Ask the chief, 212-555-0187, about nights.' });
  await page.getByLabel('Cons').fill('Write to me at sam@clinic.example');
  const posts = requestsOf(page, isPost);
  await submit(page);
  const text = '"212-555-0187" looks like a phone number. Please remove it.';
  await expect(banner(page)).toHaveText(text);
  const box = page.getByLabel('Review Summary *');
  await expect(box).toBeFocused();
  const selected = await box.evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );
  expect(selected).toBe('212-555-0187');
  await expect(page.locator('mark')).toHaveText(['212-555-0187', 'sam@clinic.example']);
  await expect(page.getByText('This looks like an email address.')).toBeVisible();
  await expect(page).toBeAccessible();
  expect(posts).toEqual([]);
  await fill(page, { 'Review Summary *': 'The nights in room nine.', Cons: '' });
  await expect(page.locator('mark')).toHaveCount(0);

  const finding = { field: 'review_text', start: 14, end: 23, excerpt: 'room nine', kind: 'mrn' };
  const body = { code: 'identifying_text', detail: 'x', findings: [finding] };
  await page.route(REVIEWS_CALL, refuse(400, body));
  await submit(page);
  await expect(page.locator('mark')).toHaveText('room nine');
  await expect(page.getByText('This looks like a medical record number.')).toBeVisible();
  await expect(box).toBeFocused();
});

test(
  'a name beside “patient” gets a hint, and can be posted',
  LONG,
  async ({ page, server, doctor }) => {
    await page.setViewportSize(PHONE);
    await page.goto(paths.createReview({ employer: (await anEmployer(server)).id }));
    await fillReview(page, { text: 'My patient Mary Smith waited nine hours for a bed.' });
    const hint = page.getByText('“patient Mary Smith” may name a patient.');
    await expect(hint).toBeVisible();
    await expect(page).toBeAccessible('light', 'dark');
    await page.getByLabel('Review Summary *').fill('My patient waited nine hours for a bed.');
    await expect(hint).toHaveCount(0);
    await page.getByLabel('Cons').fill('Mrs. Dalloway runs the front desk.');
    await expect(page.getByText('“Mrs. Dalloway” may name a patient.')).toBeVisible();
    await sendReview(page);
    expect(await ownReviewsOf(server, doctor.email)).toHaveLength(1);
  },
);

test('the draft survives a reload and can be discarded', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  await openForm(page, server);
  await rate(page, 'Overall rating *', 2);
  await page.getByLabel('Pros').fill('Cafeteria');
  await page.getByRole('combobox', { name: 'Employer' }).fill('half a na');
  await page.reload();
  await expect(page.getByText('Pick up where you left off.')).toBeInViewport();
  await expect(page.getByLabel('Pros')).toHaveValue('Cafeteria');
  await expect(page.getByRole('combobox', { name: 'Employer' })).toHaveValue('half a na');
  await expect(page.getByRole('radio', { name: '2 stars', checked: true })).toHaveCount(1);
  await expect(page).toBeAccessible();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await expect(page.getByLabel('Pros')).toHaveValue('');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeVisible();
  await expect(page.getByText('Pick up where you left off.')).toBeHidden();
  await expect(page.getByLabel('Pros')).toHaveValue('');
});

test('the draft belongs to one employer and its owner', async ({ page, server }) => {
  const [first, second] = (await someEmployers(server, 2)) as [Employer, Employer];
  await openForm(page, server, { employer: first });
  await page.getByLabel('Pros').fill('About the first');
  await page.goto(paths.createReview({ employer: second.id }));
  await expect(page.getByRole('textbox', { name: 'Employer' })).toHaveValue(nameOf(second));
  await expect(page.getByLabel('Pros')).toHaveValue('');
  await page.getByLabel('Pros').fill('About the second');
  await page.goto(paths.createReview({ employer: first.id }));
  await expect(page.getByLabel('Pros')).toHaveValue('About the first');
  expect(await draftKeys(page)).toHaveLength(2);
  await press(page, /Dr\. Maya Castellanos/);
  await press(page, 'Sign out');
  await expect(page).toHaveURL(paths.home());
  expect(await draftKeys(page)).toEqual([]);
});
