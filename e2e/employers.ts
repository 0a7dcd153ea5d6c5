import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Query } from '#contract/api-path.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { titleCase } from '#contract/names.ts';
import { writeHospitalFile } from '#server/features/employers/testing/hospital-file.ts';
import { paths } from '#web/lib/paths.ts';
import { call, sure } from './account.ts';
import { curbside, type TestServer } from './server.ts';

/** The browser's request for another page of the directory. */
export const DIRECTORY_CALL = '**/employers.data*';

export const SEARCH = 'Search employers';
/** Finds nothing: it is not even similar to a word in what tests write. */
export const NONSENSE = 'vjxkqwvz';
/** The search box of the landing page. */
export const LANDING_LABEL = 'Find an employer, a specialty, or a position';

/** The directory as returned by the API. */
export const list = (server: TestServer, query: Query = {}) =>
  call(server, employerEndpoints.list, { query: { page_size: 20, ...query } });

export const insightsOf = (server: TestServer, id: number) =>
  call(server, employerEndpoints.insights, { params: { id } });

/**
 * Employers that are only in the demo data, those with the most reviews first. Those that tests add
 * have no beds, and tests write reviews only about employers for profit (review.ts).
 */
export async function unchanged(server: TestServer): Promise<Employer[]> {
  const query = { ownership_type: 'Non-Profit', min_beds: 1, ordering: '-total_reviews' };
  return (await list(server, { ...query, page_size: 100 })).results;
}

/** The employer with the most reviews, and one without any. No test changes them. */
export async function extremes(server: TestServer) {
  const results = await unchanged(server);
  const none = results.find(({ total_reviews }) => total_reviews === 0);
  return { most: sure(results[0]), none: sure(none) };
}

/** The names on the cards. */
export const cardNames = (page: Page) => page.getByRole('article').getByRole('heading');

export const namesOf = (employers: readonly Employer[]) =>
  employers.map(({ name }) => titleCase(name));

export const SIZES = [375, 768, 1280].map((width) => ({ width, height: 900 }));

export const compare = (page: Page, name: string) =>
  page.getByRole('button', { name: `Compare ${name}`, exact: true });

export async function expectSideBySide(
  page: Page,
  { ids, names, specialty }: { ids: number[]; names: string[]; specialty: string },
) {
  await expect(page).toHaveURL(paths.compare(ids, specialty));
  await expect(page.getByRole('columnheader').filter({ visible: true })).toContainText(names);
  await expect(page.getByLabel('Ratings by')).toHaveValue(specialty);
  await expect(page.getByRole('rowheader', { name: /^Overall rating/ })).toBeVisible();
}

/** About as many hospitals as the US has. */
export const HOSPITALS = 8000;

/** Imports fictional hospitals while the server runs, as an operator does. */
export async function importHospitals(server: TestServer): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-hospitals-'));
  try {
    await curbside(server, ['employers', 'import', writeHospitalFile(folder, HOSPITALS)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
