import { expect } from 'vitest';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { testWith } from '#server/testing/site.ts';

// 1/30 of the limits: two reviews an hour per account.
const test = testWith({ config: { rateLimitFactor: 1 / 30 } });

test("counts authors' writes per account, whatever their network address", async ({ site }) => {
  const employer = await site.employer();
  const statuses = [];
  for (let doctor = 0; doctor < 8; doctor += 1) {
    const author = site.as(await site.doctor());
    for (const position_title of ['Fellow', 'Resident', 'Hospitalist']) {
      const review = reviewOf(employer, { position_title });
      statuses.push((await author.post(reviewEndpoints.create, review)).status);
    }
  }
  expect(statuses).toEqual(Array(8).fill([201, 201, 429]).flat());
});
