import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReviewRequest } from '#contract/reviews/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, expect, invalid, test as siteTest } from '#server/testing/site.ts';

const { create, edit, read, list, publish, filterOptions } = reviewEndpoints;

const test = siteTest
  .extend('author', async ({ site }) => site.as(await site.doctor()))
  /** A city without other reviews. */
  .extend('city', () => `City ${crypto.randomUUID().slice(0, 8)}`)
  .extend('employer', ({ site, city }) => site.employer({ city }))
  .extend('write', ({ author, employer }) => async (fields: Partial<ReviewRequest>) => {
    return (await author.post(create, reviewOf(employer, fields))).body;
  });

test('a review keeps the specialty that its author chose', async ({ site, write }) => {
  const review = await write({ position_title: 'Hospitalist', specialty: 'Nephrology' });
  expect(review.specialty).toBe('Nephrology');
  expect((await site.visitor().get(read, at(review.id))).body).toEqual(review);
});

test('without a specialty, the position title decides', async ({ author, write }) => {
  const chief = await write({ position_title: 'Chief of Cardiology' });
  expect(chief.specialty).toBe('Cardiovascular Disease');
  const internist = await write({ position_title: 'Internist', specialty: null });
  expect(internist.specialty).toBe('Internal Medicine');
  const general = await write({ position_title: 'Attending Physician' });
  expect(general.specialty).toBeNull();
  const changed = async (fields: Partial<ReviewRequest>) =>
    (await author.patch(edit, reviewOf(1, fields), at(general.id))).body.specialty;
  expect(await changed({ position_title: 'Urologist' })).toBe('Urology');
  expect(await changed({ specialty: 'Dermatology' })).toBe('Dermatology');
});

test('an unknown specialty is rejected at its field', async ({ site, author, employer }) => {
  const unknown = invalid({ ...reviewOf(employer), specialty: 'Phrenology' });
  expect((await author.post(create, unknown)).problem).toMatchObject({
    status: 400,
    errors: { specialty: ['Please choose a specialty from the list'] },
  });
  const { problem } = await site.visitor().get(list, { query: { specialty: 'Phrenology' } });
  expect(problem).toMatchObject({ status: 400, errors: { specialty: [expect.any(String)] } });
});

test('a scheduled review keeps its specialty when it is published', async ({ author, write }) => {
  const waiting = await write({ specialty: 'Sleep Medicine', publish: 'later' });
  expect(waiting).toMatchObject({ status: 'scheduled', specialty: 'Sleep Medicine' });
  const change = reviewOf(1, { specialty: 'Neurology' });
  expect((await author.patch(edit, change, at(waiting.id))).body.specialty).toBe('Neurology');
  const { body: published } = await author.post(publish, at(waiting.id));
  expect(published).toMatchObject({ status: 'published', specialty: 'Neurology' });
});

test('every list filters by specialty', async ({ site, author, city, employer, write }) => {
  await write({ position_title: 'Urologist' });
  await write({ position_title: 'Fellow', specialty: 'Urology' });
  await write({ position_title: 'Nocturnist' });
  await write({ position_title: 'Locum' });
  const elsewhere = await site.employer({ city });
  await author.post(create, reviewOf(elsewhere, { position_title: 'Chair of Urology' }));
  const visitor = site.visitor();
  const titles = async (specialty: string, more: object = {}) => {
    const { body } = await visitor.get(list, { query: { city, specialty, ...more } });
    expect(body.count).toBe(body.results.length);
    return body.results.map(({ position_title }) => position_title).toSorted();
  };
  const urology = ['Chair of Urology', 'Fellow', 'Urologist'];
  expect(await titles('Urology')).toEqual(urology);
  expect(await titles('Urology', { ordering: '-overall_rating', state: 'IL' })).toEqual(urology);
  expect(await titles('Urology', { search: 'nights', position_title: 'fellow' })).toEqual([
    'Fellow',
  ]);
  expect(await titles('Hospital Medicine')).toEqual(['Nocturnist']);
  expect(await titles('Hand Surgery')).toEqual([]);
  const query = { specialty: 'Urology' };
  const { body } = await visitor.get(employerEndpoints.reviews, { ...at(employer), query });
  expect(body.results.map(({ position_title }) => position_title).toSorted()).toEqual([
    'Fellow',
    'Urologist',
  ]);
  const { specialties } = (await visitor.get(filterOptions)).body;
  expect(specialties).toEqual(expect.arrayContaining(['Hospital Medicine', 'Urology']));
});
