import type { Page } from '@playwright/test';
import type { Employer, EmployerInsights } from '#contract/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import type { Page as ListPage } from '#contract/paging.ts';
import { apiPath, type Query } from '#web/lib/paths.ts';
import { ask } from './review.ts';
import type { TestServer } from './server.ts';

/** What the browser asks for when it changes the page of the directory by itself. */
export const DIRECTORY_CALL = '**/employers.data*';

export const SEARCH = 'Search employers';

/** The directory as the API has it. */
export const list = (server: TestServer, query: Query = {}) =>
  ask<ListPage<Employer>>(
    server,
    apiPath(employerEndpoints.list, { query: { page_size: 20, ...query } }),
  );

export const insightsOf = (server: TestServer, id: number) =>
  ask<EmployerInsights>(server, apiPath(employerEndpoints.insights, { params: { id } }));

/**
 * The employer with the most reviews, and one that has none: of those that have beds and an owner,
 * so that no employer that a test entered is among them.
 */
export async function extremes(server: TestServer) {
  const { results } = await list(server, {
    ownership_type: 'Non-Profit',
    min_beds: 1,
    ordering: '-total_reviews',
    page_size: 100,
  });
  const [most] = results;
  const none = results.find(({ total_reviews }) => total_reviews === 0);
  if (!most || !none) throw new Error('the demo data has both');
  return { most, none };
}

/** The names on the cards that are shown. */
export const shownNames = (page: Page) =>
  page.getByRole('article').getByRole('heading').allTextContents();

export const namesOf = (employers: readonly Employer[]) =>
  employers.map(({ name }) => titleCase(name));

export const SIZES = [375, 768, 1280].map((width) => ({ width, height: 900 }));

/** Without this, whatever can only be done with script cannot be seen to be missing. */
export const WITHOUT_SCRIPT = { javaScriptEnabled: false };
