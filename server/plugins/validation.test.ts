import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { positionTitleEndpoints, reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, invalid, test } from '#server/testing/site.ts';

const REFUSED = { status: 400, code: 'validation_error' };
const LISTS = {
  reviews: reviewEndpoints.list,
  employers: employerEndpoints.list,
  'position-titles': positionTitleEndpoints.list,
};

test.for([
  ['search', 'reviews'],
  ['position_title', 'reviews'],
  ['city', 'reviews'],
  ['state', 'employers'],
  ['search', 'employers'],
  ['search', 'position-titles'],
] as const)('rejects a NUL in %s of %s, and names the field', async ([field, list], { site }) => {
  const query = invalid({ [field]: 'a\0' });
  const { problem } = await site.visitor().get(LISTS[list], { query });
  expect(problem).toMatchObject({ ...REFUSED, errors: { [field]: [expect.any(String)] } });
});

test('rejects a NUL in written text, and names the field', async ({ site }) => {
  const review = reviewOf(await site.employer(), { pros: 'Good\0' });
  const { problem } = await site.as(await site.doctor()).post(reviewEndpoints.create, review);
  expect(problem).toMatchObject({ ...REFUSED, errors: { pros: [expect.any(String)] } });
});

test('rejects half a surrogate pair in written text, and names the field', async ({ site }) => {
  const [{ headers }, id] = [await site.admin(), await site.employer()];
  const answer = await site.app.inject({
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
test.for([
  [{ min_beds: 1000000000 }, { min_beds: [BOUND] }],
  [{ min_beds: -1.5 }, { min_beds: [BOUND] }],
  [
    { page: 0.5, page_size: 100.5 },
    {
      page: ['Page must be a whole number from 1 to 1000000'],
      page_size: ['Page size must be a whole number from 1 to 100'],
    },
  ],
] as const)(
  'every invalid parameter of %j gets exactly one message',
  async ([query, errors], { site }) => {
    const { problem } = await site.visitor().get(employerEndpoints.list, { query });
    expect(problem).toMatchObject({ status: 400, errors });
  },
);
