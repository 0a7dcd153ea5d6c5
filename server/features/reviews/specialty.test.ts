import { expect, onTestFinished, test } from 'vitest';
import type { Page } from '#contract/paging.ts';
import type { ReviewFilterOptions } from '#contract/review-queries.ts';
import type { OwnReview, Review } from '#contract/reviews.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

async function site() {
  const server = await buildTestApp();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const author = await signedInDoctor(server);
  const employer = await newEmployer(server);
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    server.app.inject({
      method,
      url: `/api/${path}`,
      headers: author.headers,
      ...(payload && { payload }),
    });
  const write = async (fields: object) => {
    const answer = await call('POST', 'reviews/', { ...reviewOf(employer), ...fields });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<OwnReview>();
  };
  const titles = async (path: string) => {
    const { count, results } = (await call('GET', path)).json<Page<Review>>();
    expect(count).toBe(results.length);
    return results.map(({ position_title }) => position_title).toSorted();
  };
  return { call, write, titles, employer, server };
}

test('a review keeps the specialty that its author chose', async () => {
  const { call, write } = await site();
  const review = await write({ position_title: 'Hospitalist', specialty: 'Nephrology' });
  expect(review.specialty).toBe('Nephrology');
  expect((await call('GET', `reviews/${review.id}/`)).json()).toEqual(review);
});

test('without a specialty, the position title decides', async () => {
  const { call, write } = await site();
  expect((await write({ position_title: 'Chief of Cardiology' })).specialty).toBe(
    'Cardiovascular Disease',
  );
  expect((await write({ position_title: 'Internist', specialty: null })).specialty).toBe(
    'Internal Medicine',
  );
  const general = await write({ position_title: 'Attending Physician' });
  expect(general.specialty).toBeNull();
  const edit = (fields: object) =>
    call('PATCH', `reviews/${general.id}/`, { ...reviewOf(1), ...fields });
  expect((await edit({ position_title: 'Urologist' })).json().specialty).toBe('Urology');
  expect((await edit({ specialty: 'Dermatology' })).json().specialty).toBe('Dermatology');
});

test('an unknown specialty is rejected at its field', async () => {
  const { call, employer } = await site();
  const answer = await call('POST', 'reviews/', {
    ...reviewOf(employer),
    specialty: 'Phrenology',
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    errors: { specialty: ['Please choose a specialty from the list'] },
  });
  const list = await call('GET', 'reviews/?specialty=Phrenology');
  expect([list.statusCode, list.json()]).toMatchObject([
    400,
    { errors: { specialty: [expect.any(String)] } },
  ]);
});

test('a scheduled review keeps its specialty when it is published', async () => {
  const { call, write } = await site();
  const waiting = await write({ specialty: 'Sleep Medicine', publish: 'later' });
  expect(waiting).toMatchObject({ status: 'scheduled', specialty: 'Sleep Medicine' });
  const edited = await call('PATCH', `reviews/${waiting.id}/`, {
    ...reviewOf(1),
    specialty: 'Neurology',
  });
  expect(edited.json().specialty).toBe('Neurology');
  const published = await call('POST', `reviews/${waiting.id}/publish/`);
  expect(published.json()).toMatchObject({ status: 'published', specialty: 'Neurology' });
});

test('reviews are filtered by specialty in every list, and specialties are offered as choices', async () => {
  const { call, write, titles, employer, server } = await site();
  await write({ position_title: 'Urologist' });
  await write({ position_title: 'Fellow', specialty: 'Urology' });
  await write({ position_title: 'Nocturnist' });
  await write({ position_title: 'Locum' });
  const other = await newEmployer(server);
  await write({ employer: String(other), position_title: 'Chair of Urology' });
  const urology = 'specialty=Urology';
  expect(await titles(`reviews/?${urology}`)).toEqual(['Chair of Urology', 'Fellow', 'Urologist']);
  expect(await titles(`reviews/?${urology}&ordering=-overall_rating&state=IL`)).toHaveLength(3);
  expect(await titles(`reviews/?${urology}&search=nights&position_title=fellow`)).toEqual([
    'Fellow',
  ]);
  expect(await titles(`reviews/?specialty=Hospital+Medicine`)).toEqual(['Nocturnist']);
  expect(await titles(`reviews/?specialty=Hand+Surgery`)).toEqual([]);
  expect(await titles(`employers/${employer}/reviews/?${urology}`)).toEqual([
    'Fellow',
    'Urologist',
  ]);
  const { specialties } = (
    await call('GET', 'reviews/filter_options/')
  ).json<ReviewFilterOptions>();
  expect(specialties).toEqual(['Hospital Medicine', 'Urology']);
});
