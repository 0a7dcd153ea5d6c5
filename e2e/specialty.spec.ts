import type { Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { DESKTOP, PHONE, sure } from './account.ts';
import { extremes, insightsOf, list } from './employers.ts';
import { expect, LONG, test } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { anEmployer, fillReview, ownReviewsOf, sendReview } from './review.ts';
import { cards, countOf, says } from './reviews-page.ts';
import { atSizes, boxOf, sideways } from './widths.ts';

const HOSPITAL_MEDICINE = 'Hospital Medicine';

const box = (page: Page) => page.getByRole('combobox', { name: 'Specialty' });

async function choose(page: Page, typed: string, name: string) {
  await box(page).fill(typed);
  await page.getByRole('option', { name, exact: true }).click();
}

const expectNoSideways = (page: Page) =>
  atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));

test('reviews are filtered by a specialty, found by a synonym', async ({ page, server }) => {
  await openLive(page, paths.reviews(), PHONE);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await choose(page, 'hospitalist', HOSPITAL_MEDICINE);
  await expect(page).toHaveURL(paths.reviews({ specialty: HOSPITAL_MEDICINE }));
  await expect(page).toBeAccessible();
  await page.getByRole('button', { name: /^Show/ }).click();
  await says(page, await countOf(server, { specialty: HOSPITAL_MEDICINE }));
  await expect(cards(page).first()).toContainText(HOSPITAL_MEDICINE);
  await expectNoSideways(page);

  await page.setViewportSize(DESKTOP);
  await follow(page, 'Clear all filters', paths.reviews());
  await choose(page, 'hospitalist', HOSPITAL_MEDICINE);
  await expect(page).toHaveURL(paths.reviews({ specialty: HOSPITAL_MEDICINE }));
});

test('the form suggests a specialty and sends the chosen', async ({ page, server, doctor }) => {
  await page.setViewportSize(PHONE);
  await page.goto(paths.createReview({ employer: (await anEmployer(server)).id }));
  await fillReview(page, { title: 'Cardiologist' });
  await expect(page.getByText('Based on your title: Cardiovascular Disease.')).toBeVisible();
  await choose(page, 'sleep phys', 'Sleep Medicine');
  await expect(box(page)).toHaveValue('Sleep Medicine');
  await expect(page).toBeAccessible();
  await sendReview(page);
  const [review] = await ownReviewsOf(server, doctor.email);
  expect(review?.specialty).toBe('Sleep Medicine');
});

test(
  'an employer and a comparison show the averages of a specialty',
  LONG,
  async ({ page, server }) => {
    const { most, none } = await extremes(server);
    const { specialties } = await insightsOf(server, most.id);
    const common = sure(specialties.find(({ count }) => count >= 3));
    const rare = sure(specialties.find(({ count }) => count < 3));
    await openLive(page, paths.employer(most.id), PHONE);
    const field = page.getByRole('combobox', { name: 'Specialty' });
    await field.selectOption(`${common.specialty} (${common.count})`);
    await expect(page).toHaveURL(paths.employer(most.id, { specialty: common.specialty }));
    const averages = page.getByRole('region', { name: `${common.specialty}: ` });
    await expect(averages).toContainText('Overall rating');
    const overall = page.getByRole('region', { name: 'Overall rating' });
    await expect(overall).toContainText(`Based on ${most.total_reviews} reviews`);
    await expect(overall).toContainText(
      new RegExp(`${common.specialty}: \\d\\.\\d ${common.count} reviews`),
    );
    // One rule between the averages and the first review, and little space.
    const card = page
      .getByRole('region', { name: /^Reviews/ })
      .getByRole('article')
      .first();
    expect((await boxOf(card)).y - (await boxOf(averages)).bottom).toBeLessThanOrEqual(8);
    await expect(averages).toHaveCSS('border-bottom-width', '0px');
    await expect(page).toHaveTitle(new RegExp(common.specialty));
    const chip = page.getByRole('link', { name: /^Show all specialties/ });
    expect((await boxOf(chip)).y).toBeLessThan((await boxOf(overall)).y);
    await chip.click();
    await expect(page).toHaveURL(paths.employer(most.id));
    await field.selectOption(`${rare.specialty} (${rare.count})`);
    const rule = 'Averages for a specialty appear once it has 3 reviews.';
    await expect(page.getByText(rule)).toBeVisible();
    await expect(page).toBeAccessible();

    await openLive(page, paths.compare([most.id, none.id]));
    await page.getByLabel('Ratings by').selectOption(common.specialty);
    await expect(page).toHaveURL(paths.compare([most.id, none.id], common.specialty));
    const header = page.getByRole('rowheader', { name: 'Reviews', exact: true });
    const reviews = page.getByRole('row').filter({ has: header });
    const figure = reviews.getByRole('cell').filter({ visible: true }).first();
    await atSizes(page, [DESKTOP, PHONE], async () => {
      await expect(figure).toContainText(`${common.count} reviews`);
      expect(await sideways(page)).toBe(0);
    });
    await expect(page).toBeAccessible();
  },
);

test('the directory finds employers by specialty, the last one first', async ({ page, server }) => {
  const filters = page.getByRole('button', { name: /^Filters/ });
  await openLive(page, paths.employers(), PHONE);
  await filters.click();
  await choose(page, 'pulmonolog', 'Pulmonary Disease');
  await expect(page).toHaveURL(paths.employers({ specialty: 'Pulmonary Disease' }));
  const { count } = await list(server, { specialty: 'Pulmonary Disease' });
  expect(count).toBeGreaterThan(0);
  await expect(page.getByText(`of ${count} employer`)).toBeVisible();
  // The counts would be those of all specialties.
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await expect(sheet.getByLabel('Hospitals only', { exact: true })).toBeVisible();
  await expect(sheet.getByLabel('Employer type')).not.toContainText('(');
  await page.getByRole('button', { name: /^Show \d/ }).click();
  for (const card of await page.getByRole('article').all()) {
    await expect(card).toContainText(/(\d+|No) reviews? in Pulmonary Disease/);
  }
  await expectNoSideways(page);
  await openLive(page, paths.reviews());
  await filters.click();
  await box(page).click();
  const first = page.getByRole('listbox').getByRole('option').first();
  await expect(first).toHaveText('Pulmonary Disease');
});
