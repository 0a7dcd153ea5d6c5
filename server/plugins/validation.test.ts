import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

const NUL = { status: 400, code: 'validation_error' };

test.each([
  ['search', '/reviews/'],
  ['position_title', '/reviews/'],
  ['city', '/reviews/'],
  ['state', '/employers/'],
  ['search', '/employers/'],
  ['search', '/position-titles/'],
])('a NUL in %s of %s is refused, with the field', async (field, path) => {
  await using server = await buildTestApp();
  const answer = await server.app.inject({ url: `/api${path}?${field}=a%00` });
  expect(answer.json()).toMatchObject({ ...NUL, errors: { [field]: [expect.any(String)] } });
});

test('a NUL in what is written is refused, with the field', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInDoctor(server);
  const review = { ...reviewOf(await newEmployer(server)), pros: 'Good\0' };
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/reviews/',
    headers,
    payload: review,
  });
  expect(answer.json()).toMatchObject({ ...NUL, errors: { pros: [expect.any(String)] } });
});
