import type { Page } from '@playwright/test';
import { CONCERNS } from '#contract/concerns.ts';
import type { Employer, EmployerBrief } from '#contract/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { apiPath, paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, PHONE, signIn } from './account.ts';
import { extremes, WITHOUT_SCRIPT } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { ask, newEmployer, postReview, reviewOf } from './review.ts';
import type { TestServer } from './server.ts';
import { sideways } from './widths.ts';

const briefOf = (server: TestServer, id: number) =>
  ask<EmployerBrief>(server, apiPath(employerEndpoints.insights, { params: { id } }));

const reviewCards = (page: Page) =>
  page.getByRole('region', { name: /^Reviews/ }).getByRole('article');

/** An employer with this many reviews. Every third one mentions call. */
async function reviewed(server: TestServer, count: number): Promise<Employer> {
  const employer = await newEmployer(server);
  for (let at = 1; at <= count; at += 1) {
    const review_text =
      at % 3 === 0 ? `Call is heavy, number ${at}.` : `A calm place, number ${at}.`;
    await postReview(server, DEMO.doctor, reviewOf(employer, { review_text }));
  }
  return employer;
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const size of [PHONE, DESKTOP]) {
    test.describe(`at ${size.width} px, ${colorScheme}`, () => {
      test.use({ viewport: size, colorScheme });

      test('the brief summarizes the reviews', async ({ page, server, expectAccessible }) => {
        const { most } = await extremes(server);
        const brief = await briefOf(server, most.id);
        await openLive(page, paths.employer(most.id));
        const overall = page.getByRole('region', { name: 'Overall rating' });
        const years = overall.getByRole('list', { name: 'Rating by year' }).getByRole('listitem');
        const newest = brief.by_year.slice(-5);
        expect(newest.length).toBeGreaterThan(1);
        await expect(years).toHaveCount(newest.length);
        for (const [at, { year, total_reviews, overall_rating }] of newest.entries()) {
          const said =
            overall_rating === null
              ? 'too few reviews for an average'
              : `${overall_rating.toFixed(1)} stars`;
          await expect(years.nth(at)).toContainText(`${year}: ${said}, ${total_reviews} review`);
        }
        const { current, former } = brief.by_employment;
        await expect(overall).toContainText(
          `Current employees${current.overall_rating?.toFixed(1)}${current.total_reviews} review`,
        );
        await expect(overall).toContainText(
          `Former employees${former.overall_rating?.toFixed(1)}${former.total_reviews} review`,
        );
        await expectAccessible();
        expect(await sideways(page)).toBe(0);
      });
    });
  }
}

for (const height of [667, 812]) {
  test(`the first screen of a phone, ${height} px tall, has the whole brief`, async ({
    page,
    server,
  }) => {
    const { most } = await extremes(server);
    await page.setViewportSize({ width: 375, height });
    await page.goto(paths.employer(most.id));
    const overall = page.getByRole('region', { name: 'Overall rating' });
    const bar = await page.getByRole('navigation', { name: 'Tabs' }).boundingBox();
    const parts = [
      overall.getByText(`Based on ${most.total_reviews} reviews`),
      overall.getByText('Would recommend'),
      overall.getByRole('list', { name: 'Rating by year' }),
      overall.getByText('Former employees'),
      page.getByRole('navigation', { name: 'What comes up' }).getByRole('link').first(),
    ];
    for (const part of parts) {
      const box = await part.boundingBox();
      if (!box || !bar) throw new Error('not shown');
      expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
    }
  });
}

for (const size of [PHONE, DESKTOP]) {
  test.describe(`at ${size.width} px`, () => {
    test.use({ viewport: size });

    test('a concern filters the reviews, and the filter can be removed', async ({
      page,
      server,
      expectAccessible,
    }) => {
      const { most } = await extremes(server);
      const [first] = (await briefOf(server, most.id)).concerns;
      if (!first) throw new Error('the demo reviews share no concern');
      const label = CONCERNS[first.concern];
      await openLive(page, paths.employer(most.id));
      const choices = page.getByRole('navigation', { name: 'What comes up' });
      const choice = choices.getByRole('link', { name: `${label} ${first.count} reviews` });
      await choice.click();
      await expect(page).toHaveURL(paths.employer(most.id, { concern: first.concern }));
      await expect(page.getByRole('heading', { name: /^Reviews/ })).toBeFocused();
      await expect(reviewCards(page)).toHaveCount(Math.min(10, first.count));
      await expect(choice).toHaveAttribute('aria-current', 'true');
      await expectAccessible();
      await page.getByRole('link', { name: `Remove filter: ${label}` }).click();
      await expect(page).toHaveURL(paths.employer(most.id));
      await expect(choice).not.toHaveAttribute('aria-current');
    });

    test('shows ten reviews, more on demand, and all of them again after Back', async ({
      page,
      server,
    }) => {
      const employer = await reviewed(server, 12);
      await openLive(page, paths.employer(employer.id));
      await expect(reviewCards(page)).toHaveCount(10);
      const more = page.getByRole('link', { name: 'Show more' });
      await more.click();
      await expect(reviewCards(page)).toHaveCount(12);
      await expect(more).toBeHidden();
      const age = reviewCards(page)
        .nth(11)
        .getByRole('link', { name: /^Link to this review/ });
      await age.scrollIntoViewIfNeeded();
      const top = await page.evaluate(() => window.scrollY);
      await age.click();
      await expect(page).toHaveURL(/\/reviews\//);
      await page.goBack();
      await expect(reviewCards(page)).toHaveCount(12);
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeCloseTo(top, -2);
    });

    test('searches within the reviews of the employer', async ({ page, server }) => {
      const employer = await reviewed(server, 4);
      await openLive(page, paths.employer(employer.id));
      const box = page.getByRole('searchbox', { name: 'Search these reviews' });
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

    test('position and specialty lead each card', async ({ page, server }) => {
      const { most } = await extremes(server);
      await page.goto(paths.employer(most.id));
      const card = reviewCards(page).first();
      const heading = card.getByRole('heading', { level: 3 });
      const employer = card.getByRole('link', { name: titleCase(most.name) });
      const sizeOf = (element: typeof heading) =>
        element.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
      expect(await heading.textContent()).not.toContain(titleCase(most.name));
      expect(await sizeOf(employer)).toBeLessThan(await sizeOf(heading));
    });

    test('links to similar employers nearby', async ({ page, server }) => {
      const { most } = await extremes(server);
      const { similar } = await briefOf(server, most.id);
      await openLive(page, paths.employer(most.id));
      const region = page.getByRole('region', { name: 'Similar employers nearby' });
      const [first] = similar;
      if (!first) {
        await expect(region).toBeHidden();
        return;
      }
      await expect(region.getByRole('listitem')).toHaveCount(similar.length);
      await region.getByRole('link', { name: titleCase(first.name) }).click();
      await expect(page).toHaveURL(paths.employer(first.id));
    });
  });
}

test('has the facts of the directory card', async ({ page, server }) => {
  const { most } = await extremes(server);
  await page.goto(paths.employer(most.id));
  const overview = page.getByRole('region', { name: 'Overview' });
  if (most.trauma_level) await expect(overview).toContainText(`Trauma Level${most.trauma_level}`);
  if (most.has_helipad) await expect(overview).toContainText('HelipadYes');
  await expect(overview.getByRole('link', { name: String(most.phone) })).toHaveAttribute(
    'href',
    /^tel:[\d+]+$/,
  );
});

test('on a phone, the Write tab preselects the employer', async ({ page, server }) => {
  const { most } = await extremes(server);
  await page.setViewportSize(PHONE);
  const target = paths.createReview({ employer: most.id });
  const write = page
    .getByRole('navigation', { name: 'Tabs' })
    .getByRole('link', { name: 'Write', exact: true });
  await openLive(page, paths.employer(most.id));
  await write.click();
  await expect(page).toHaveURL(paths.login({ redirect: target.slice(1) }));
  await signIn(page, server, DEMO.doctor);
  await openLive(page, paths.employer(most.id));
  await write.click();
  await expect(page).toHaveURL(target);
  await expect(page.getByLabel('Employer', { exact: true })).toHaveValue(titleCase(most.name));
  await expect(write).toHaveAttribute('aria-current', 'page');
});

test('the page has a limited height on a phone', async ({ page, server }) => {
  const { most } = await extremes(server);
  await page.setViewportSize(PHONE);
  await openLive(page, paths.employer(most.id));
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(12_500);
});

test.describe('without script', () => {
  test.use(WITHOUT_SCRIPT);

  test('concerns, the search, and more reviews work as links and a form', async ({
    page,
    server,
  }) => {
    const employer = await reviewed(server, 12);
    await page.goto(paths.employer(employer.id));
    await page.getByRole('link', { name: 'Show more' }).click();
    await expect(page).toHaveURL(paths.employer(employer.id, { page: 2 }));
    await expect(reviewCards(page)).toHaveCount(2);
    await page.getByRole('link', { name: 'Call 4 reviews' }).click();
    await expect(page).toHaveURL(`${paths.employer(employer.id, { concern: 'call' })}#reviews`);
    await expect(reviewCards(page)).toHaveCount(4);
    await page.getByRole('searchbox', { name: 'Search these reviews' }).fill('12');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/search=12.*concern=call|concern=call.*search=12/);
    await expect(reviewCards(page)).toHaveCount(1);
  });
});
