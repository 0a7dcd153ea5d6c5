import type { Page } from '@playwright/test';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import type { ReviewRequest } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, DESKTOP, newId, PHONE, signIn } from './account.ts';
import { expect, test } from './fixtures.ts';
import {
  fillReview,
  openForm,
  ownReviewsOf,
  REVIEWS_CALL,
  sendReview,
  submit,
  submitted,
} from './review.ts';
import type { TestServer } from './server.ts';

/** Two employers of one name. Returns the name. */
async function namesakes(server: TestServer): Promise<string> {
  const name = `Quill ${crypto.randomUUID().slice(0, 8)} Hospital`;
  for (const [city, state] of [
    ['Dayton', 'OH'],
    ['Kearney', 'NE'],
  ] as const) {
    await call(server, employerEndpoints.add, { as: DEMO.doctor, body: { name, city, state } });
  }
  return name;
}

/** Sends the form, and returns what it sent. */
async function bodySent(page: Page): Promise<ReviewRequest> {
  const sent = page.waitForRequest(REVIEWS_CALL);
  await submit(page);
  return (await sent).postDataJSON();
}

const locked = (page: Page) => page.getByRole('textbox', { name: 'Employer' });
const choices = (page: Page) => page.getByRole('group', { name: 'Which one is it?' });

test('a new employer is compared with the directory before creation', async ({ page, server }) => {
  const name = `Quill ${newId()} Hospital`;
  const place = { city: 'Dayton', state: 'OH' };
  const { id } = await call(server, employerEndpoints.add, {
    as: DEMO.doctor,
    body: { name, ...place },
  });
  await openForm(page, server);
  await page.setViewportSize(PHONE);
  await page.getByRole('combobox', { name: 'Employer' }).fill(name.replace(/al$/, ''));
  await page.getByRole('option', { name: '(Custom hospital)' }).click();
  await page.getByLabel('City').fill('Dayton');
  const listed = page.getByRole('group', { name: 'Or is it one of these in the directory?' });
  await expect(listed.getByRole('button')).toHaveText([/Dayton, OH/]);
  await expect(page).toBeAccessible('light', 'dark');
  await listed.getByRole('button').click();
  await expect(locked(page)).toHaveValue(titleCase(name));
  await expect(listed).toHaveCount(0);
  await fillReview(page);
  const body = await bodySent(page);
  expect([body.employer, body.is_custom_employer]).toEqual([String(id), 'false']);
});

test('a name that exists elsewhere shows its places and a new one', async ({ page, server }) => {
  const name = await namesakes(server);
  await signIn(page, server, DEMO.doctor, paths.employers({ search: name, state: 'AK' }));
  await page.getByRole('link', { name: 'Add this employer' }).click();
  const offered = choices(page).getByRole('button');
  await expect(offered).toHaveText([/Dayton, OH/, /Kearney, NE/, `A new one: another ${name}`]);
  await expect(page).toBeAccessible('light', 'dark');
  await fillReview(page);
  await submit(page);
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Please select an employer',
  );

  await offered.filter({ hasText: 'Dayton' }).click();
  await expect(locked(page)).toHaveValue(titleCase(name));
  await expect(page.getByText('Dayton, OH', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(paths.createReview());
  await page.getByRole('button', { name: 'Modify' }).click();
  await choices(page).getByRole('button', { name: 'A new one' }).click();
  await page.getByLabel('City').fill('Sitka');
  await page.getByLabel('State').selectOption('AK');
  await expect(page).toBeAccessible();
  const body = await bodySent(page);
  expect(body).toMatchObject({ is_custom_employer: 'true', city: 'Sitka', state: 'AK' });
  await expect(submitted(page)).toBeVisible();
  const own = await ownReviewsOf(server, DEMO.doctor);
  expect(own.map(({ employer }) => employer)).toContainEqual(
    expect.objectContaining({ name, city: 'Sitka', state: 'AK' }),
  );
});

test('a name that several employers have lists places, and a new one', async ({ page, server }) => {
  const name = await namesakes(server);
  await openForm(page, server);
  await page.getByRole('combobox', { name: 'Employer' }).fill(name.toLowerCase());
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options.filter({ hasText: 'Dayton, OH' })).toBeVisible();
  await expect(options.filter({ hasText: 'Kearney, NE' })).toBeVisible();
  await options.filter({ hasText: 'A new one' }).click();
  await expect(locked(page)).toHaveValue(name.toLowerCase());
  // The city and the state are asked for, and not required.
  await expect(page.getByLabel('City')).toHaveValue('');
  await fillReview(page);
  await sendReview(page);
});

test('with name and place in common, streets tell employers apart', async ({ page, server }) => {
  const place = { name: 'HARTFORD HOSPITAL', city: 'HARTFORD', state: 'CT' };
  const candidates = [
    { id: 1, ...place, address: '80 SEYMOUR STREET' },
    { id: 2, ...place, address: '200 RETREAT AVENUE' },
  ];
  const detail = 'Several employers have this name.';
  await page.route(REVIEWS_CALL, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          json: { code: 'several_employers', detail, errors: { employer: [detail] }, candidates },
        })
      : route.fallback(),
  );
  await openForm(page, server);
  await page.getByRole('combobox', { name: 'Employer' }).fill('Hartford Hospital');
  await page.getByRole('option', { name: '(Custom hospital)' }).click();
  await page.getByLabel('City').fill('Hartford');
  await fillReview(page);
  await page.setViewportSize(PHONE);
  await submit(page);
  await expect(locked(page)).toBeFocused();
  const offered = choices(page).getByRole('button');
  await expect(offered).toHaveText([/80 Seymour Street/, /200 Retreat Avenue/]);
  await expect(page).toBeAccessible();
  await page.setViewportSize(DESKTOP);
  await offered.last().click();
  await expect(page.getByText('Hartford, CT')).toBeVisible();
  await expect(choices(page)).toHaveCount(0);
  const body = await bodySent(page);
  expect([body.employer, body.is_custom_employer]).toEqual(['2', 'false']);
});
