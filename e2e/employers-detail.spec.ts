import { apiPath } from '#contract/api-path.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, sure } from './account.ts';
import { extremes, insightsOf, list, SIZES } from './employers.ts';
import { expect, LONG, test, withoutScript } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { newEmployer, postReviews } from './review.ts';
import { atSizes, boxOf, sideways } from './widths.ts';

test('shows the facts and the ratings of an employer at every width', async ({ page, server }) => {
  const { most } = await extremes(server);
  const insights = await insightsOf(server, most.id);
  await openLive(page, paths.employer(most.id));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleCase(most.name));
  const overview = page.getByRole('region', { name: 'Overview' });
  await expect(overview).toContainText(`Location${most.city}, ${most.state}`);
  await expect(overview).toContainText(`Ownership Type${most.ownership_type}`);
  await expect(overview).toContainText(`Bed Count${most.bed_count}`);
  // The facts of the card in the directory.
  if (most.trauma_level) await expect(overview).toContainText(`Trauma Level${most.trauma_level}`);
  if (most.has_helipad) await expect(overview).toContainText('HelipadYes');
  const phone = overview.getByRole('link', { name: String(most.phone) });
  await expect(phone).toHaveAttribute('href', /^tel:[\d+]+$/);

  const overall = page.getByRole('region', { name: 'Overall rating' });
  await expect(overall).toContainText(most.overall_rating?.toFixed(1) ?? '');
  await expect(overall).toContainText(`Based on ${most.total_reviews} reviews`);
  const spread = overall.getByRole('list', { name: 'Overall ratings given' });
  await expect(spread.getByRole('listitem')).toHaveText(
    insights.spread.overall_rating
      .map((count, at) => `${plural(at + 1, 'star')}${plural(count, 'review')}`)
      .reverse(),
  );
  const { yes, answered } = insights.would_recommend;
  await expect(overall).toContainText(`Would recommend${Math.round((yes / answered) * 100)}%`);
  await expect(overall).toContainText(`${yes} of ${answered}`);
  await expect(overall).toContainText(/Newest review[A-Z][a-z]{2} \d{1,2}, \d{4}/);

  const immigration = insights.spread.immigration_support_rating.reduce((sum, n) => sum + n, 0);
  expect(immigration).toBeLessThan(most.total_reviews);
  const categories = page.getByRole('region', { name: 'Category ratings' });
  const terms = categories.getByRole('term');
  await expect(terms).toHaveText([
    'Work-life balance',
    'Mentorship & growth',
    'Team collaboration',
    'Compensation & benefits',
    `Immigration support${plural(immigration, 'review')}`,
  ]);
  const [one, two, three, four, five] = insights.spread.work_life_balance_rating;
  const name = `Work-life balance ratings given. 5 stars: ${five}, 4 stars: ${four}, 3 stars: ${three}, 2 stars: ${two}, 1 star: ${one}`;
  await expect(categories.getByRole('img', { name })).toBeVisible();

  const reviews = page.getByRole('heading', { name: `Reviews (${most.total_reviews})` });
  await expect(reviews).toBeVisible();
  // In the dark theme: employer-brief.spec.ts.
  await expect(page).toBeAccessible('light');
  const write = page.getByRole('main').getByRole('link', { name: 'Write a review' });
  await atSizes(page, SIZES.toReversed(), async ({ width }) => {
    await expect(write).toBeVisible({ visible: width >= 768 });
    expect(await sideways(page)).toBe(0);
  });

  // On a phone, each category has its value next to it, and its bars are labeled.
  await expect(categories.getByText('Bars: ratings from 1 to 5 stars')).toBeVisible();
  for (const [at, term] of (await terms.all()).entries()) {
    const name = await boxOf(term);
    const value = await boxOf(categories.getByRole('definition').nth(at));
    expect(value.y).toBeLessThan(name.bottom);
    expect(value.x).toBeGreaterThanOrEqual(name.x + name.width);
  }
});

test('shows the average of the last 24 months if it differs', async ({ page, server }) => {
  const { results } = await list(server, { ordering: '-total_reviews', min_beds: 1 });
  let seen = 0;
  for (const employer of results.slice(0, 8)) {
    const { recent } = await insightsOf(server, employer.id);
    const differs = recent.overall_rating?.toFixed(1) !== employer.overall_rating?.toFixed(1);
    const html = await (await page.request.get(paths.employer(employer.id))).text();
    expect(html.includes('Last 24 months')).toBe(differs);
    seen += Number(differs);
  }
  expect(seen).toBeGreaterThan(0);
});

test('filters by position, sorts reviews, and puts both in the URL', async ({ page, server }) => {
  const { most } = await extremes(server);
  const position = sure((await insightsOf(server, most.id)).position_titles[0]);
  await openLive(page, paths.employer(most.id));
  const reviews = page.getByRole('region', { name: /^Reviews/ }).getByRole('article');
  await expect(reviews).toHaveCount(Math.min(10, most.total_reviews));
  // Fully expanded.
  await expect(page.getByRole('button', { name: 'Read more' })).toHaveCount(0);

  const label = `${titleCase(position.title)} (${position.count})`;
  await page.getByLabel('Position').selectOption(label);
  const query = { position_title: position.title };
  await expect(page).toHaveURL(paths.employer(most.id, query));
  await expect(reviews).toHaveCount(position.count);
  await page.getByLabel('Sort by').focus();
  await page.getByLabel('Sort by').selectOption('Lowest rated');
  const sorted = paths.employer(most.id, { ...query, ordering: 'overall_rating' });
  await expect(page).toHaveURL(sorted);
  await expect(page.getByLabel('Sort by')).toBeFocused();
  await page.goBack();
  await page.goBack();
  await expect(page.getByLabel('Position')).toHaveValue('');
  await expect(reviews).toHaveCount(Math.min(10, most.total_reviews));
  await page.goto(paths.employer(most.id, { position_title: 'Nobody has this' }));
  await expect(page.getByText('No reviews for this position yet.')).toBeVisible();
});

test('the bars of stars filter the reviews', async ({ page, server, most }) => {
  const { spread } = await insightsOf(server, most.id);
  const stars = spread.overall_rating.findLastIndex((count) => count > 0) + 1;
  const count = spread.overall_rating[stars - 1] ?? 0;
  await openLive(page, paths.employer(most.id), PHONE);
  const bars = page.getByRole('list', { name: 'Overall ratings given' });
  const bar = bars.getByRole('link', {
    name: `${plural(stars, 'star')} ${plural(count, 'review')}`,
  });
  await bar.click();
  const query = { min_rating: stars, max_rating: stars };
  await expect(page).toHaveURL(paths.employer(most.id, query));
  const reviews = page.getByRole('region', { name: /^Reviews/ }).getByRole('article');
  await expect(reviews).toHaveCount(Math.min(10, count));
  await expect(bar).toHaveAttribute('aria-current', 'true');
  await follow(page, `Remove filter: ${plural(stars, 'star')}`, paths.employer(most.id));
  await page.goto(paths.employer(most.id, { ...query, search: 'xylophone' }));
  await expect(page.getByText('No reviews found')).toBeVisible();
});

test('with few reviews, says how many are good, and what is missing', async ({ page, server }) => {
  const employer = await newEmployer(server);
  await postReviews(server, DEMO.doctor, employer, ['A calm place.', 'A calm place again.']);
  await openLive(page, paths.employer(employer.id), PHONE);
  const overall = page.getByRole('region', { name: 'Overall rating' });
  await expect(overall).toContainText('2 of 2 rate it 4 or 5');
  await expect(overall.getByRole('list', { name: 'Overall ratings given' })).not.toContainText('0');
  const missing = '2 reviews, too few to show (3 needed)';
  await expect(overall.getByRole('list', { name: 'Rating by year' })).toContainText(missing);
  await expect(overall).toContainText(`Former employees${missing}`);
  await expect(page).toBeAccessible();
});

test('reviews that failed to load can be retried', LONG, async ({ page, most }) => {
  await openLive(page, paths.employer(most.id, { search: 'x'.repeat(201) }));
  await expect(page.getByRole('alert')).toContainText('Failed to load reviews: ');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleCase(most.name));
  const again = page.waitForRequest(/\.data/);
  await page.getByRole('alert').getByRole('link', { name: 'Try again' }).click();
  await again;
});

test('the order is readable on the narrowest phone', LONG, async ({ page, most }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await openLive(page, paths.employer(most.id));
  const order = page.getByLabel('Sort by');
  const room = await order.evaluate((select: HTMLSelectElement) => {
    const style = getComputedStyle(select);
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('no canvas');
    context.font = `${style.fontSize} ${style.fontFamily}`;
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
    const text = select.selectedOptions[0]?.text ?? '';
    return select.clientWidth - padding - context.measureText(text).width;
  });
  expect(room).toBeGreaterThanOrEqual(0);
  expect(await sideways(page)).toBe(0);
});

test('shows ten reviews, more on demand, and all again after Back', async ({ page, server }) => {
  const employer = await newEmployer(server);
  const texts = Array.from({ length: 12 }, (_, at) => `A calm place, number ${at}.`);
  await postReviews(server, DEMO.doctor, employer, texts);
  await openLive(page, paths.employer(employer.id), PHONE);
  const reviews = page.getByRole('region', { name: 'Reviews (12)' }).getByRole('article');
  await expect(reviews).toHaveCount(10);
  const more = page.getByRole('link', { name: 'Show more' });
  const url = `**/api${apiPath(employerEndpoints.reviews, { params: { id: employer.id } })}*`;
  await page.route(url, (route) => route.abort(), { times: 1 });
  await more.click();
  await expect(page.getByRole('alert')).toContainText('Failed to load reviews: Network error.');
  await more.click();
  await expect(reviews).toHaveCount(12);
  await expect(more).toBeHidden();
  await expect(page.getByRole('alert')).toBeHidden();

  const age = reviews.last().getByRole('link', { name: /^Link to this review/ });
  await age.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => window.scrollY);
  await age.click();
  await expect(page).toHaveURL(/\/reviews\//);
  await page.goBack();
  await expect(reviews).toHaveCount(12);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeCloseTo(top, -2);

  await page.goto(paths.employer(employer.id, { page: 2 }));
  await expect(reviews).toHaveCount(2);
  await page.getByRole('link', { name: 'Back to the first reviews' }).click();
  await expect(reviews).toHaveCount(10);
});

test('shows an employer without reviews', async ({ page, server, signedIn }) => {
  const { none } = await extremes(server);
  await page.goto(paths.employer(none.id));
  await expect(page.getByRole('heading', { name: 'Reviews (0)' })).toBeVisible();
  await expect(page.getByText('No reviews yet')).toBeVisible();
  const invitation = `Be the first to share your experience with ${titleCase(none.name)}`;
  await expect(page.getByText(invitation)).toBeVisible();
  await expect(page.getByText('Overall rating')).toBeHidden();
  const write = page.getByRole('link', { name: 'Write First Review' });
  await expect(write).toBeHidden();
  await expect(page).toBeAccessible();
  await signedIn(DEMO.doctor, paths.employer(none.id));
  await expect(write).toHaveAttribute('href', paths.createReview({ employer: none.id }));
});

test(
  'writing opens the login, or the form when signed in',
  LONG,
  async ({ page, server, signedIn }) => {
    const { most } = await extremes(server);
    const target = paths.createReview({ employer: most.id });
    const link = page.getByRole('main').getByRole('link', { name: 'Write a review' });
    const tab = page
      .getByRole('navigation', { name: 'Tabs' })
      .getByRole('link', { name: 'Write', exact: true });
    const ways = [
      [DESKTOP, link],
      [PHONE, tab],
    ] as const;
    for (const [size, write] of ways) {
      await page.setViewportSize(size);
      await openLive(page, paths.employer(most.id));
      await write.click();
      await expect(page).toHaveURL(paths.login({ redirect: target.slice(1) }));
    }
    await signedIn(DEMO.doctor);
    for (const [size, write] of ways) {
      await page.setViewportSize(size);
      await openLive(page, paths.employer(most.id));
      await write.click();
      await expect(page).toHaveURL(target);
      await expect(page.getByLabel('Employer', { exact: true })).toHaveValue(titleCase(most.name));
    }
    await expect(tab).toHaveAttribute('aria-current', 'page');
  },
);

test('an unknown employer shows the not-found page', async ({ page }) => {
  for (const id of [999_999, 'abc']) {
    const answer = await page.request.get(paths.employer(id));
    expect(answer.status()).toBe(404);
    expect(await answer.text()).toContain('Employer not found</h1>');
  }
  const answer = await page.goto(paths.employer('9'.repeat(20)));
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Employer not found' })).toBeVisible();
  await expect(page).toHaveTitle('Employer not found · Curbside');
  await expect(page).toBeAccessible();
});

test('a failed navigation says so; back returns', LONG, async ({ page, most }) => {
  await openLive(page, paths.employer(most.id));
  await follow(page, 'All employers', paths.employers());
  const filtered = paths.employers({ search: most.name, ordering: '-total_reviews' });
  await openLive(page, filtered);
  const call = '**/employers/*.data*';
  await page.route(call, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
  await page.getByRole('link', { name: titleCase(most.name) }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to load employer details.');
  await openLive(page, filtered);
  await page.getByRole('link', { name: titleCase(most.name) }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleCase(most.name));
  await page.getByLabel('Sort by').selectOption('Oldest first');
  await expect(page).toHaveURL(paths.employer(most.id, { ordering: 'created_at' }));
  await follow(page, 'All employers', filtered);

  await openLive(page, paths.reviews());
  await page.getByRole('article').getByRole('heading').getByRole('link').first().click();
  await follow(page, 'All reviews', paths.reviews());
});

withoutScript(
  'without script, it can be read, filtered, and sorted',
  LONG,
  async ({ page, server }) => {
    const { most } = await extremes(server);
    const position = sure((await insightsOf(server, most.id)).position_titles[0]);
    await page.goto(paths.employer(most.id));
    const reviews = page.getByRole('region', { name: /^Reviews/ }).getByRole('article');
    await expect(reviews).toHaveCount(Math.min(10, most.total_reviews));
    await page.getByLabel('Position').selectOption({ index: 1 });
    await page.getByLabel('Sort by').selectOption('Oldest first');
    await page.getByRole('button', { name: 'Show' }).click();
    // Without script, the form also sends the fields that are empty.
    const { title } = position;
    const chosen = { search: '', position_title: title, specialty: '', ordering: 'created_at' };
    await expect(page).toHaveURL(`${paths.employer(most.id)}?${new URLSearchParams(chosen)}`);
    await expect(reviews).toHaveCount(position.count);
  },
);
