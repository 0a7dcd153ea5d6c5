import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { Employer } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { titleCase } from '#contract/names.ts';
import type { Review, ReviewRequest } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import {
  call,
  DEMO,
  headersOf,
  newDetails,
  newId,
  OFTEN,
  type Signup,
  signIn,
  signUp,
  sure,
} from './account.ts';
import { fill } from './forms.ts';
import type { TestServer } from './server.ts';

/** Both forms of the URL: with a query and without. */
export const REVIEWS_CALL = `**/api${reviewEndpoints.list.path}`;
export const OWN_CALL = `**/api${reviewEndpoints.listOwn.path}`;

interface Clinician {
  number: string;
  first_name: string;
  last_name: string;
  kind: string;
}

/** How many physicians of its registry a server's tests have used. */
const taken = new WeakMap<TestServer, number>();

/** Details of an unused physician in the sample registry. */
export async function registeredPhysician(server: TestServer): Promise<Signup> {
  const sample = (await (
    await fetch(`${server.devUrl}/dev/registry/sample`)
  ).json()) as Clinician[];
  const place = taken.get(server) ?? 0;
  const physician = sample.filter(({ kind }) => kind === 'physician')[place];
  taken.set(server, place + 1);
  if (!physician) throw new Error('the sample registry has no more physicians');
  const { number: npi, first_name, last_name } = physician;
  return { ...newDetails(), npi, first_name, last_name };
}

/** Creates a doctor for a test: verified by the registry, without reviews. */
export async function newPoster(server: TestServer): Promise<Signup> {
  const details = await signUp(server, await registeredPhysician(server));
  await canPost(server, details.email);
  return details;
}

/** Waits until the registry has verified a doctor. */
export async function canPost(server: TestServer, email: string): Promise<void> {
  const as = await headersOf(server, email);
  const doctor = () => call(server, sessionEndpoints.doctor, { as });
  await expect.poll(async () => (await doctor()).can_post_reviews, OFTEN).toBe(true);
}

/**
 * Employers of the demo data, to write about: those that tests add have no beds, and `extremes`
 * (employers.ts) are not for profit.
 */
export async function someEmployers(server: TestServer, count: number): Promise<Employer[]> {
  const query = { page_size: count, min_beds: 1, ownership_type: 'Proprietary' };
  return (await call(server, employerEndpoints.list, { query })).results;
}

export const anEmployer = async (server: TestServer) => sure((await someEmployers(server, 1))[0]);

/** The name as shown on the pages. */
export const nameOf = (employer: Pick<Employer, 'name'>) => titleCase(employer.name);

/** A unique title, because there can be only one review per employer and position. */
export const newTitle = () => `Hospitalist ${newId()}`;

export function reviewOf(employer: Employer, changes: Partial<ReviewRequest> = {}): ReviewRequest {
  return {
    employer: String(employer.id),
    is_custom_employer: 'false',
    overall_rating: 4,
    work_life_balance_rating: 3,
    mentorship_growth_rating: 4,
    team_collaboration_rating: 5,
    compensation_benefits_rating: 2,
    review_text: 'Long nights, good company.',
    pros: '',
    cons: '',
    position_title: newTitle(),
    start_year: 2019,
    end_year: 2022,
    is_current_employee: false,
    would_recommend: true,
    ...changes,
  };
}

/** Posts a review through the API. */
export const postReview = (server: TestServer, as: string, body: ReviewRequest) =>
  call(server, reviewEndpoints.create, { as, body });

/** A review by the demo's doctor, by default at an employer of the demo data. */
export const newReview = async (
  server: TestServer,
  changes: Partial<ReviewRequest> = {},
  { by = DEMO.doctor as string, at }: { by?: string; at?: Employer } = {},
) => postReview(server, by, reviewOf(at ?? (await anEmployer(server)), changes));

/** Posts reviews of an employer through the API, with these texts. */
export async function postReviews(
  server: TestServer,
  by: string,
  at: Employer,
  texts: readonly string[],
): Promise<Review[]> {
  const posted: Review[] = [];
  for (const review_text of texts)
    posted.push(await newReview(server, { review_text }, { by, at }));
  return posted;
}

/** A unique name of an employer, as shown on the pages. */
export const newName = () => titleCase(`Quill ${newId()} Clinic`);

/** Creates an employer for a test, with only a name. */
export async function newEmployer(server: TestServer, name = newName()): Promise<Employer> {
  return call(server, employerEndpoints.add, { as: DEMO.doctor, body: { name } });
}

export const ownReviewsOf = (server: TestServer, as: string) =>
  call(server, reviewEndpoints.listOwn, { as });

/** Signs in and opens the empty form, optionally with an employer preselected. */
export async function openForm(
  page: Page,
  server: TestServer,
  { email = DEMO.doctor as string, employer }: { email?: string; employer?: Employer } = {},
): Promise<void> {
  await signIn(page, server, email, paths.createReview(employer && { employer: employer.id }));
  await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeVisible();
}

export const submit = (page: Page) => page.getByRole('button', { name: 'Submit Review' }).click();

/** Sends the form. The network fails while the response is on its way. */
export async function loseResponse(page: Page): Promise<void> {
  const context = page.context();
  await page.route(REVIEWS_CALL, async (route) => {
    await route.fetch();
    await context.setOffline(true);
    await route.abort('connectionreset');
  });
  await submit(page);
  const text = 'Network error: Please check your internet connection.';
  await expect(banner(page)).toContainText(text);
  await page.unroute(REVIEWS_CALL);
  await context.setOffline(false);
}

export const banner = (page: Page) => page.getByRole('main').getByRole('alert');

export const stars = (page: Page, legend: string) => page.getByRole('group', { name: legend });

export async function rate(page: Page, legend: string, count: number): Promise<void> {
  const name = count === 1 ? '1 star' : `${count} stars`;
  // The star is drawn in the label; the radio button itself is for the keyboard.
  await stars(page, legend).locator('label').filter({ hasText: name }).click();
}

/** Fills in all fields except the employer. */
export async function fillReview(
  page: Page,
  { title = newTitle(), text = 'Long nights, good company.' } = {},
): Promise<void> {
  await rate(page, 'Overall rating *', 4);
  await rate(page, 'Work-life balance *', 3);
  await rate(page, 'Mentorship & growth *', 4);
  await rate(page, 'Team collaboration *', 5);
  await rate(page, 'Compensation & benefits *', 2);
  await fill(page, { 'Review Summary *': text, 'Position Title *': title });
  await page.getByLabel('Start Year *').selectOption('2019');
  await page.getByLabel('End Year').selectOption('2022');
  await page.getByRole('radio', { name: 'Yes' }).check();
}

export const submitted = (page: Page) => page.getByRole('heading', { name: 'Review Submitted!' });

/** Sends the form, and waits until the review is stored. */
export async function sendReview(page: Page): Promise<void> {
  await submit(page);
  await expect(submitted(page)).toBeVisible();
}
