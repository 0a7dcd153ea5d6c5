import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { newDetails } from '#server/features/accounts/testing/account-flows.ts';
import { reviewOf, signUp } from '#server/testing/factories.ts';
import { answering, PERSON } from '#server/testing/matched-doctor.ts';
import { at, expect, testWith } from '#server/testing/site.ts';

const names = [{ first: 'GREGORY', last: 'HOUSE' }];
const test = testWith({ npiRegistry: answering({ ...PERSON, names }) });

test('the main flow: sign up, get verified, write, and be read', async ({ site }) => {
  const employer = await site.employer();
  const details = newDetails({ first_name: 'Gregory', last_name: 'House' });
  const { access } = await signUp(site, details);
  await site.jobs.idle();
  const doctor = site.as({ headers: { authorization: `Bearer ${access}` } });
  const me = await doctor.get(sessionEndpoints.doctor);
  expect(me.body).toMatchObject({ verified: true, can_post_reviews: true });

  const created = await doctor.post(reviewEndpoints.create, reviewOf(employer));
  expect(created.status).toBe(201);
  const list = await site.visitor().get(employerEndpoints.reviews, at(employer));
  expect(list.body.results).toEqual([created.body]);
  expect((await site.visitor().get(employerEndpoints.read, at(employer))).body).toMatchObject({
    total_reviews: 1,
    overall_rating: 4,
    avg_immigration_support_rating: null,
  });
});
