import type { Endpoint } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { positionTitleEndpoints, reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { endpoints } from '#contract/endpoints.ts';
import { parseInput } from '#contract/paging.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, invalid, test } from '#server/testing/site.ts';
import { WORDS } from './validation.ts';

const TEXT = ['Must be text'];
const YES_NO = ['Must be true or false'];
const NO_REVIEW = '00000000-0000-4000-8000-000000000000';
const REFUSED = { status: 400, code: 'validation_error' };
const [reviews, employers] = [reviewEndpoints.list, employerEndpoints.list];

test('rejects a NUL in a query, and names the field', async ({ site }) => {
  for (const [list, ...fields] of [
    [reviews, 'search', 'position_title', 'city'] as const,
    [employers, 'state', 'search'] as const,
    [positionTitleEndpoints.list, 'search'] as const,
  ]) {
    for (const field of fields) {
      const query = invalid({ [field]: 'a\0' });
      const { problem } = await site.visitor().get(list, { query });
      expect(problem).toMatchObject({ ...REFUSED, errors: { [field]: [expect.any(String)] } });
    }
  }
});

test('rejects a NUL in written text, and names the field', async ({ site }) => {
  const review = reviewOf(await site.employer(), { pros: 'Good\0' });
  const { problem } = await site.as(await site.doctor()).post(reviewEndpoints.create, review);
  expect(problem).toMatchObject({ ...REFUSED, errors: { pros: [expect.any(String)] } });
});

test('rejects half a surrogate pair in written text, and names the field', async ({ site }) => {
  const [{ headers }, id] = [await site.admin(), await site.employer()];
  const request = { url: `/api/admin/employers/${id}/`, payload: '{"name":"Clinic \\udfff"}' };
  const typed = { ...headers, 'content-type': 'application/json' };
  const answer = await site.app.inject({ method: 'PATCH', ...request, headers: typed });
  const errors = { name: ['Must not contain half a character'] };
  expect(answer.json()).toMatchObject({ ...REFUSED, errors });
});

test.for([
  ['GET', '/api/reviews/seven/', '', { id: ['Must be an id'] }],
  ['POST', '/api/auth/login/', '"text"', { body: ['Must be an object'] }],
  ['POST', '/api/employers/7/corrections/', '{}', { field: ['Please choose what to correct'] }],
  ['POST', `/api/reviews/${NO_REVIEW}/report/`, '{"reason":"other","note":7}', { note: TEXT }],
  ['POST', '/api/saved/weekly-mail/', '{"weekly_mail":"yes"}', { weekly_mail: YES_NO }],
] as const)('%s %s says what is wrong with %s', async (row, { site }) => {
  const [method, url, payload, errors] = row;
  const { headers } = await site.doctor();
  const typed = { ...headers, ...(payload && { 'content-type': 'application/json' }) };
  const answer = await site.app.inject({ method, url, headers: typed, payload });
  expect(answer.json()).toMatchObject({ ...REFUSED, errors });
});

test('no endpoint answers wrong input with the words of a library', () => {
  const parts = Object.values(endpoints).flatMap((group) =>
    Object.values<Endpoint>(group).flatMap(({ params, query, body }) => [params, query, body]),
  );
  const values = [undefined, null, 7, -1.5, 'text', true, [], ['text'], {}];
  const messages = parts.flatMap((schema) =>
    [...values, ...values.map((value) => withAll(schema, value))].flatMap((input) => {
      const issues = schema && parseInput(schema, input, WORDS).error?.issues;
      return issues?.map(({ message }) => message) ?? [];
    }),
  );
  expect(messages.length).toBeGreaterThan(1000);
  expect(messages.filter((message) => message.startsWith('Invalid input'))).toEqual([]);
});

/** An object in which every field of the schema has this value. */
const withAll = (schema: Endpoint['body'], value: unknown) =>
  schema && 'shape' in schema
    ? Object.fromEntries(Object.keys(schema.shape as object).map((name) => [name, value]))
    : value;

const min_beds = ['Must be a whole number from 0 to 1000000'];
const page = ['Page must be a whole number from 1 to 1000000'];
const page_size = ['Page size must be a whole number from 1 to 100'];
test.for([
  [{ min_beds: 1000000000 }, { min_beds }],
  [{ min_beds: -1.5 }, { min_beds }],
  [
    { page: 0.5, page_size: 100.5 },
    { page, page_size },
  ],
] as const)('one message for each parameter of %j', async ([query, errors], { site }) => {
  const { problem } = await site.visitor().get(employers, { query });
  expect(problem).toMatchObject({ status: 400, errors });
});

test.for(['', '%20', '0x10', '1e3', '+5', '7.0'])(
  'a number is not written %j',
  async (text, { site }) => {
    const answer = await site.app.inject(`/api/employers/?min_beds=${text}`);
    expect(answer.json()).toMatchObject({ ...REFUSED, errors: { min_beds } });
    const page = await site.app.inject(`/api/employers/${text || '%20'}/`);
    expect(page.statusCode).toBe(400);
  },
);
