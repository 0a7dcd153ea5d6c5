import type { Page } from '@playwright/test';
import { CONCERNS } from '#contract/concerns.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { STATE_NAMES } from '#contract/employers/states.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, PHONE, sure } from './account.ts';
import { extremes } from './employers.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { newEmployer, newReview, postReviews } from './review.ts';
import type { TestServer } from './server.ts';
import { atSizes, boxOf } from './widths.ts';

const briefOf = (server: TestServer, id: number) =>
  call(server, employerEndpoints.insights, { params: { id } });

const reviewCards = (page: Page) =>
  page.getByRole('region', { name: /^Reviews/ }).getByRole('article');

/** An employer with this many reviews. Every third one mentions call. */
async function reviewed(server: TestServer, count: number): Promise<Employer> {
  const employer = await newEmployer(server);
  const texts = Array.from({ length: count }, (_, at) =>
    at % 3 === 2 ? `Call is heavy, number ${at + 1}.` : `A calm place, number ${at + 1}.`,
  );
  await postReviews(server, DEMO.doctor, employer, texts);
  return employer;
}

test('the brief is on the first screen of a phone; the page is short', async ({ page, server }) => {
  const { most } = await extremes(server);
  const brief = await briefOf(server, most.id);
  await openLive(page, paths.employer(most.id), PHONE);
  const overall = page.getByRole('region', { name: 'Overall rating' });
  const rated = overall.getByRole('list', { name: 'Rating by year' });
  const newest = brief.by_year.slice(-5);
  expect(newest.length).toBeGreaterThan(1);
  await expect(rated.getByRole('listitem')).toContainText(
    newest.map(({ year, total_reviews, overall_rating }) => {
      const reviews = plural(total_reviews, 'review');
      const stars = overall_rating && `${overall_rating.toFixed(1)} stars, ${reviews}`;
      return `${year}: ${stars ?? `${reviews}, too few to show (3 needed)`}`;
    }),
  );
  const { current, former } = brief.by_employment;
  for (const [whose, { overall_rating, total_reviews }] of [
    ['Current', current],
    ['Former', former],
  ] as const) {
    const figures = `${overall_rating?.toFixed(1)}${total_reviews}`;
    await expect(overall).toContainText(`${whose} employees${figures} review`);
  }

  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  const parts = [
    overall.getByText(`Based on ${most.total_reviews} reviews`),
    overall.getByText('Would recommend'),
    rated,
    overall.getByText('Former employees'),
    page.getByRole('navigation', { name: 'What comes up' }).getByRole('link').first(),
  ];
  const sizes = [812, 667].map((height) => ({ width: 375, height }));
  await atSizes(page, sizes, async () => {
    await expect(tabs).toBeInViewport({ ratio: 1 });
    const { y } = await boxOf(tabs);
    for (const part of parts) expect((await boxOf(part)).bottom).toBeLessThanOrEqual(y);
  });

  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(12_500);
  // Position and specialty lead each card.
  const card = reviewCards(page).first();
  const heading = card.getByRole('heading', { level: 3 });
  const employer = card.getByRole('link', { name: titleCase(most.name) });
  const sizeOf = (element: typeof heading) =>
    element.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
  await expect(heading).not.toContainText(titleCase(most.name));
  await atSizes(page, [PHONE, DESKTOP], async () =>
    expect(await sizeOf(employer)).toBeLessThan(await sizeOf(heading)),
  );

  const state = STATE_NAMES[most.state ?? ''];
  const others = page.getByRole('region', { name: `Similar employers in ${state}`, exact: true });
  await expect(others.getByRole('listitem')).toHaveCount(brief.similar.length);
  const [similar] = brief.similar;
  if (!similar) return;
  await others.getByRole('link', { name: titleCase(similar.name) }).click();
  await expect(page).toHaveURL(paths.employer(similar.id));
});

test('a concern filters the reviews, and the filter can be removed', async ({ page, server }) => {
  const { most } = await extremes(server);
  const first = sure((await briefOf(server, most.id)).concerns[0]);
  const label = CONCERNS[first.concern];
  await openLive(page, paths.employer(most.id), PHONE);
  const choices = page.getByRole('navigation', { name: 'What comes up' });
  const choice = choices.getByRole('link', { name: `${label} ${first.count} reviews` });
  await choice.click();
  await expect(page).toHaveURL(paths.employer(most.id, { concern: first.concern }));
  await expect(page.getByRole('heading', { name: /^Reviews/ })).toBeFocused();
  await expect(reviewCards(page)).toHaveCount(Math.min(10, first.count));
  const shown = `Reviews (${first.count} of ${most.total_reviews})`;
  await expect(page.getByRole('heading', { name: shown, exact: true })).toBeVisible();
  await expect(choice).toHaveAttribute('aria-current', 'true');
  // In the light theme: employers-detail.spec.ts.
  await expect(page).toBeAccessible('dark');
  await follow(page, `Remove filter: ${label}`, paths.employer(most.id));
  await expect(choice).not.toHaveAttribute('aria-current');
});

test('what comes up says in which part, and filters by it', async ({ page, server }) => {
  const employer = await newEmployer(server);
  const texts = ['Call is heavy.', 'Light call.', 'A calm place.', 'Call every third night.'];
  for (const review_text of texts) {
    const content = { review_text, pros: '', cons: 'Call at dawn.' };
    await newReview(server, content, { by: DEMO.doctor, at: employer });
  }
  await openLive(page, paths.employer(employer.id), PHONE);
  const choices = page.getByRole('navigation', { name: 'What comes up' });
  await expect(choices.getByRole('listitem')).toHaveText(
    'Call4 reviewsCall: 4 in consCall: 3 in summary',
  );
  await choices.getByRole('link', { name: 'Call: 3 in summary' }).click();
  await expect(page).toHaveURL(paths.employer(employer.id, { concern: 'summary-call' }));
  await expect(reviewCards(page)).toHaveCount(3);
  await follow(page, 'Remove filter: Call in summary', paths.employer(employer.id));
});

test('searches within the reviews of the employer', async ({ page, server }) => {
  const employer = await reviewed(server, 4);
  await openLive(page, paths.employer(employer.id));
  const box = page.getByRole('searchbox', { name: 'Search these reviews' });
  await expect(box).toHaveAttribute('placeholder', 'For example, night float');
  await box.fill('heavy');
  await expect(page).toHaveURL(paths.employer(employer.id, { search: 'heavy' }));
  await expect(reviewCards(page)).toHaveCount(1);
  await expect(box).toBeFocused();
  await box.fill('xylophone');
  await expect(page.getByText('No reviews found')).toBeVisible();
  await box.press('ControlOrMeta+a');
  await box.press('Delete');
  await expect(reviewCards(page)).toHaveCount(4);
});

test(
  'a search leads to the topic that it names, whose words are marked',
  LONG,
  async ({ page, server }) => {
    const employer = await newEmployer(server);
    const texts = ['H-1B sponsorship took a year.', 'A green card, in time.', 'A calm place.'];
    await postReviews(server, DEMO.doctor, employer, texts);
    await openLive(page, paths.employer(employer.id), PHONE);
    const box = page.getByRole('searchbox', { name: 'Search these reviews' });
    await box.fill('immigration');
    await expect(page.getByText('No reviews found')).toBeVisible();
    await expect(page).toBeAccessible('light', 'dark');
    await page.getByRole('link', { name: '2 reviews mention visa or related words' }).click();
    await expect(page).toHaveURL(paths.employer(employer.id, { concern: 'visa' }));
    await expect(page.getByRole('heading', { name: 'Reviews (2 of 3)' })).toBeFocused();
    const marks = reviewCards(page).locator('mark');
    await expect(marks).toHaveCount(2);
    // Reviews of one minute have no order.
    expect((await marks.allTextContents()).sort()).toEqual(['H-1B', 'green card']);
    await expect(page).toBeAccessible('light', 'dark');
    await box.fill('card');
    await expect(page.getByRole('heading', { name: 'Reviews (1 of 3)' })).toBeVisible();
  },
);

withoutScript(
  'without script, concerns, search, and paging work',
  LONG,
  async ({ page, server }) => {
    const employer = await reviewed(server, 12);
    await page.goto(paths.employer(employer.id));
    await follow(page, 'Show more', paths.employer(employer.id, { page: 2 }));
    await expect(reviewCards(page)).toHaveCount(2);
    await page.getByRole('link', { name: 'Call 4 reviews' }).click();
    await expect(page).toHaveURL(`${paths.employer(employer.id, { concern: 'call' })}#reviews`);
    await expect(reviewCards(page)).toHaveCount(4);
    await page.getByRole('searchbox', { name: 'Search these reviews' }).fill('12');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/search=12.*concern=call|concern=call.*search=12/);
    await expect(reviewCards(page)).toHaveCount(1);
  },
);
