import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Page as ListPage } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { apiPath, paths, type Query } from '#web/lib/paths.ts';
import { expectLaidOut } from './hydration.ts';
import { ask, REVIEWS_CALL } from './review.ts';
import type { TestServer } from './server.ts';

export const LIST_CALL = `${REVIEWS_CALL}?*`;
export const OPTIONS_CALL = `**/api${reviewEndpoints.filterOptions.path}`;

/** The call for the signed-in doctor's votes. */
export const VOTES_CALL = '**/api/reviews/votes/*';

/** Oldest first, so that the demo data comes before the reviews of other tests. */
export const OLDEST = { ordering: 'created_at' };

export const cards = (page: Page) => page.getByRole('article');
export const cardOf = (page: Page, { id }: Review) =>
  cards(page).filter({ has: page.locator(`a[href="${paths.review(id)}"]`) });
export const listCalls = (page: Page) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/api${reviewEndpoints.list.path}`) calls.push(search);
  });
  return calls;
};

export const countOf = async (server: TestServer, query: Query) =>
  (await ask<ListPage<Review>>(server, apiPath(reviewEndpoints.list, { query }))).count;

/** The total as shown on the page. */
export const says = (page: Page, count: number) =>
  expect(
    page.getByText(count === 1 ? '1 review' : `${count} reviews`, { exact: true }),
  ).toBeVisible();

/** Opens the page and waits for hydration. */
export async function open(page: Page, query: Query = {}): Promise<void> {
  const options = page.waitForResponse(OPTIONS_CALL);
  await page.goto(paths.reviews(query));
  await options;
  await expectLaidOut(page);
}

export const browse = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Browse reviews' })
    .click();

export const SEARCH_REVIEWS = 'Search by employer, position, or keyword';
export const search = (page: Page) => page.getByRole('combobox', { name: SEARCH_REVIEWS });
export const box = (page: Page, name: string) => page.getByRole('combobox', { name });
