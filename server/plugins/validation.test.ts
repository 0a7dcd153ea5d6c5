import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';

const REFUSED = { status: 400, code: 'validation_error' };

test.each([
  ['search', '/reviews/'],
  ['position_title', '/reviews/'],
  ['city', '/reviews/'],
  ['state', '/employers/'],
  ['search', '/employers/'],
  ['search', '/position-titles/'],
])('rejects a NUL in %s of %s, and names the field', async (field, path) => {
  await using server = await buildTestApp();
  const answer = await server.app.inject({ url: `/api${path}?${field}=a%00` });
  expect(answer.json()).toMatchObject({ ...REFUSED, errors: { [field]: [expect.any(String)] } });
});

test('rejects a NUL in written text, and names the field', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInDoctor(server);
  const review = { ...reviewOf(await newEmployer(server)), pros: 'Good\0' };
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/reviews/',
    headers,
    payload: review,
  });
  expect(answer.json()).toMatchObject({ ...REFUSED, errors: { pros: [expect.any(String)] } });
});

test('rejects half a surrogate pair in written text, and names the field', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInAdmin(server);
  const id = await newEmployer(server);
  const answer = await server.app.inject({
    method: 'PATCH',
    url: `/api/admin/employers/${id}/`,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: '{"name":"Clinic \\udfff"}',
  });
  expect(answer.json()).toMatchObject({
    ...REFUSED,
    errors: { name: ['Must not contain half a character'] },
  });
});

const BOUND = 'Must be a whole number from 0 to 1000000';
test.each([
  ['min_beds=1000000000', { min_beds: [BOUND] }],
  ['min_beds=-1.5', { min_beds: [BOUND] }],
  [
    'page=0.5&page_size=100.5',
    {
      page: ['Page must be a whole number from 1 to 1000000'],
      page_size: ['Page size must be a whole number from 1 to 100'],
    },
  ],
])('every invalid parameter of %s gets exactly one message', async (query, errors) => {
  await using server = await buildTestApp();
  const answer = await server.app.inject(`/api/employers/?${query}`);
  expect(answer.json()).toMatchObject({ status: 400, errors });
});
