import type { Page } from '@playwright/test';
import { physicianCountEndpoints } from '#contract/endpoints/reviews.ts';
import { cityKey } from '#contract/reviews/physician-counts.ts';
import { call, DESKTOP, PHONE, requestsOf } from './account.ts';
import { list } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { fillReview, newPoster, openForm, ownReviewsOf, submit } from './review.ts';
import type { TestServer } from './server.ts';
import { atSizes, sideways } from './widths.ts';

const COUNTS_CALL = `**/api${physicianCountEndpoints.read.path}*`;

const section = (page: Page) =>
  page.getByRole('region', { name: 'How many could have written this' });
const verdict = (page: Page) => section(page).getByRole('status');
const wayOut = (page: Page, name: string) => section(page).getByRole('button', { name });
const title = (page: Page) => page.getByRole('combobox', { name: 'Position Title *' });
const specialty = (page: Page) => page.getByRole('combobox', { name: 'Specialty' });

/** An employer in the city with the most physicians. */
async function inLargestCity(server: TestServer) {
  const { results } = await list(server, { page_size: 100, ordering: '-bed_count' });
  const [largest] = results;
  if (!largest?.state || !largest.city) throw new Error('the demo data has no such employer');
  const query = { state: largest.state };
  const { cities } = await call(server, physicianCountEndpoints.read, { query });
  const all = Object.values(cities[cityKey(largest.city)] ?? {});
  return { employer: largest, physicians: all.reduce((sum, count) => sum + count, 0) };
}

test('says how many could have written it, and how to blend in', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const { email } = await newPoster(server);
  const { employer, physicians } = await inLargestCity(server);
  const { path } = physicianCountEndpoints.read;
  const asked = requestsOf(page, (request) => request.url().includes(path));
  await openForm(page, server, { email, employer });
  await expect(section(page)).toContainText('enter your position title first');
  await fillReview(page, { title: 'Transplant Hepatologist' });
  await expect(verdict(page)).toHaveText('Perhaps only you could have written this.');
  await expect(page).toBeAccessible('light', 'dark');

  await expect(section(page)).toContainText('1 in 100 started and left in the same years');
  await page.getByRole('checkbox', { name: 'I currently work here' }).check();
  await expect(section(page)).toContainText('1 in 10 started in the same year');

  await wayOut(page, 'Use the title “Attending Physician”').click();
  await expect(title(page)).toHaveValue('Attending Physician');
  await expect(verdict(page)).toHaveText('Many physicians could have written this.');
  await expect(verdict(page)).toBeFocused();
  await expect(section(page)).toContainText(physicians.toLocaleString('en-US'));
  await expect(section(page).getByRole('button')).toHaveCount(0);

  await specialty(page).fill('sleep phys');
  await page.getByRole('option', { name: 'Sleep Medicine', exact: true }).click();
  await expect(verdict(page)).toHaveText('Perhaps only you could have written this.');
  await wayOut(page, 'Publish later').click();
  await expect(page.getByRole('radio', { name: /^At a random time/ })).toBeChecked();
  await expect(wayOut(page, 'Publish later')).toHaveCount(0);
  await wayOut(page, 'Leave out the specialty').click();
  await expect(specialty(page)).toHaveValue('');
  await expect(verdict(page)).toHaveText('Many physicians could have written this.');
  await atSizes(page, [DESKTOP, PHONE], async () => expect(await sideways(page)).toBe(0));

  // The request is anonymous and names only the state.
  const queries = asked.map((request) => new URL(request.url()).search);
  expect(queries).toEqual([`?state=${employer.state}`]);
  for (const request of asked) {
    const headers = await request.allHeaders();
    for (const name of ['authorization', 'cookie', 'referer']) expect(headers[name] ?? '').toBe('');
  }

  // It does not stop anyone from posting.
  await title(page).fill('Chief of Neurology');
  await expect(verdict(page)).toHaveText('Perhaps only you could have written this.');
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Review Scheduled!' })).toBeVisible();
  const chief = { position_title: 'Chief of Neurology' };
  expect(await ownReviewsOf(server, email)).toMatchObject([chief]);
});

test('Submit repeats the strongest verdict, and offers a random time', async ({ page, server }) => {
  await page.setViewportSize(PHONE);
  const { email } = await newPoster(server);
  const { employer } = await inLargestCity(server);
  await openForm(page, server, { email, employer });
  await fillReview(page, { title: 'Chief of Neurology' });
  const sent = page.getByRole('button', { name: 'Submit Review' });
  await sent.scrollIntoViewIfNeeded();
  const random = page.getByRole('button', { name: 'Publish at a random time' });
  await expect(random).toBeInViewport();
  await expect(page.getByText('Perhaps only you could have written this.').last()).toBeInViewport();
  await expect(page).toBeAccessible('light', 'dark');
  await random.click();
  await expect(page.getByText('It will go live at a random time.')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^At a random time/ })).toBeChecked();
  await title(page).fill('Attending Physician');
  await expect(page.getByText('Perhaps only you could have written this.')).toHaveCount(0);
  await title(page).fill('Chief of Neurology');
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Review Scheduled!' })).toBeVisible();
});

test('it says so if the number is unknown', async ({ page, server }) => {
  const { email } = await newPoster(server);
  const { employer } = await inLargestCity(server);
  await page.route(COUNTS_CALL, (route) => route.abort());
  await openForm(page, server, { email, employer });
  const unknown = 'We cannot tell how many could have written this.';
  await title(page).fill('PGY-2 Resident');
  await expect(verdict(page)).toHaveText(unknown);
  await expect(section(page)).toContainText('residents and fellows');
  await title(page).fill('Neurologist');
  await expect(verdict(page)).toHaveText(unknown);
  await expect(section(page)).toContainText('could not be loaded');
  await page.getByRole('button', { name: 'Modify' }).click();
  await page.getByRole('combobox', { name: 'Employer' }).fill('A Hospital Nobody Knows');
  await page.getByRole('option', { name: /\(Custom hospital\)/ }).click();
  await expect(section(page)).toContainText('We do not know which city');
});
