import { expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { newEmail, newNpi, reviewOf, signUp } from '#server/testing/factories.ts';
import { testWith } from '#server/testing/site.ts';

const test = testWith({
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

test('the main flow: sign up, get verified, write a review, and have a visitor read it', async ({
  site,
}) => {
  const employer = await site.employer();
  const { access } = await signUp(site, {
    email: newEmail(),
    first_name: 'Gregory',
    last_name: 'House',
    npi: newNpi(),
    password: 'Vicodin-10mg',
  });
  await site.jobs.idle();
  const doctor = site.as({ headers: { authorization: `Bearer ${access}` } });
  const me = await doctor.get(sessionEndpoints.doctor);
  expect(me.body).toMatchObject({ verified: true, can_post_reviews: true });

  const created = await doctor.post(reviewEndpoints.create, reviewOf(employer));
  expect(created.status).toBe(201);
  const at = { params: { id: employer } };
  const list = await site.visitor().get(employerEndpoints.reviews, at);
  expect(list.body.results).toEqual([created.body]);
  expect((await site.visitor().get(employerEndpoints.read, at)).body).toMatchObject({
    total_reviews: 1,
    overall_rating: 4,
    avg_immigration_support_rating: null,
  });
});
