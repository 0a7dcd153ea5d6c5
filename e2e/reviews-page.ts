import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { Query } from '#contract/api-path.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { call, requestsOf } from './account.ts';
import { expectLaidOut } from './hydration.ts';
import { REVIEWS_CALL } from './review.ts';
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
/** The queries of the page's calls of the list from now on. */
export const listCalls = (page: Page) => {
  const path = `/api${reviewEndpoints.list.path}`;
  const sent = requestsOf(page, (request) => new URL(request.url()).pathname === path);
  return () => sent.map((request) => new URL(request.url()).search);
};

export const listOf = (server: TestServer, query: Query) =>
  call(server, reviewEndpoints.list, { query });
export const countOf = async (server: TestServer, query: Query) =>
  (await listOf(server, query)).count;
export const helpfulCount = async (server: TestServer, { id }: Review) =>
  (await call(server, reviewEndpoints.read, { params: { id } })).helpful_count;

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
