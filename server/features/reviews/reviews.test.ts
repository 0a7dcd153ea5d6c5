import { expect, test } from 'vitest';
import type { Employer } from '#contract/employers.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmail, newEmployer, newNpi, reviewOf, signUp } from '#server/testing/factories.ts';

test('the main flow: sign up, get verified, write a review, and have a visitor read it', async () => {
  await using server = await buildTestApp({
    npiRegistry: {
      lookUp: async () => ({
        kind: 'person',
        active: true,
        names: [{ first: 'GREGORY', last: 'HOUSE' }],
        taxonomies: ['207R00000X'],
        practice: null,
      }),
    },
  });
  const { app, jobs } = server;
  const employer = await newEmployer(server);
  const account = await signUp(server, {
    email: newEmail(),
    first_name: 'Gregory',
    last_name: 'House',
    npi: newNpi(),
    password: 'Vicodin-10mg',
  });
  await jobs.idle();
  const headers = { authorization: `Bearer ${account.access}` };
  const me = await app.inject({ url: '/api/doctors/me/', headers });
  expect(me.json()).toMatchObject({ verified: true, can_post_reviews: true });

  const created = await app.inject({
    method: 'POST',
    url: '/api/reviews/',
    headers,
    payload: reviewOf(employer),
  });
  expect(created.statusCode).toBe(201);
  const list = await app.inject({ url: `/api/employers/${employer}/reviews/` });
  expect(list.json().results).toEqual([created.json()]);
  const detail = (await app.inject({ url: `/api/employers/${employer}/` })).json<Employer>();
  expect(detail).toMatchObject({
    total_reviews: 1,
    overall_rating: 4,
    avg_immigration_support_rating: null,
  });
});
