import { afterAll, beforeAll, expect, test } from 'vitest';
import { YEAR_CHOICES } from '#contract/limits.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { REVIEW_CHECKS, type Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let author: TestAccount;
let stranger: TestAccount;
let employer: number;

beforeAll(async () => {
  server = await buildTestApp();
  author = await signedInDoctor(server);
  stranger = await signedInDoctor(server);
  employer = await newEmployer(server);
});
afterAll(() => server[Symbol.asyncDispose]());

type Method = 'POST' | 'PATCH' | 'DELETE' | 'GET';
const call = (method: Method, url: string, account: TestAccount | null, payload?: object) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    ...(account && { headers: account.headers }),
    ...(payload && { payload }),
  });
const post = (payload: object, account = author) => call('POST', '/reviews/', account, payload);
async function posted(payload: object, account = author): Promise<Review> {
  const response = await post(payload, account);
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}
const withoutFields = (payload: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !fields.includes(name)));

test('the checks are in the documented order, with the documented texts', async () => {
  const whole = { ...reviewOf(employer), is_current_employee: false, end_year: 2023 };
  const order = Object.keys(REVIEW_CHECKS) as (keyof typeof REVIEW_CHECKS)[];
  for (const [at, field] of order.entries()) {
    const response = await post(withoutFields(whole, order.slice(at)));
    expect(response.statusCode).toBe(400);
    expect(response.json().detail).toBe(REVIEW_CHECKS[field]);
    expect(response.json().message).toBe(REVIEW_CHECKS[field]);
    expect(Object.keys(response.json().errors)[0]).toBe(field);
  }
});

test.each([
  ['overall_rating', 0, REVIEW_CHECKS.overall_rating],
  ['overall_rating', 6, REVIEW_CHECKS.overall_rating],
  ['work_life_balance_rating', 3.5, REVIEW_CHECKS.work_life_balance_rating],
  ['immigration_support_rating', 6, 'Please rate immigration support from 1 to 5'],
  ['review_text', '  \n ', REVIEW_CHECKS.review_text],
  ['position_title', ' ', REVIEW_CHECKS.position_title],
  ['would_recommend', null, REVIEW_CHECKS.would_recommend],
  ['start_year', 1900, REVIEW_CHECKS.start_year],
  ['employer', '999999', REVIEW_CHECKS.employer],
  ['employer', 'no number', REVIEW_CHECKS.employer],
  ['author_key', 'x', 'Unknown field'],
  ['created_at', '2020-01-01T00:00:00Z', 'Unknown field'],
])('rejects %s %j', async (field, value, message) => {
  const response = await post({ ...reviewOf(employer), [field]: value });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ detail: message, errors: { [field]: [message] } });
});

test("accepts the 30 years up to the current year of the server's clock", async () => {
  const { time } = server;
  const now = time.now;
  const years = (start_year: number, end_year: number, position_title: string) =>
    post({
      ...reviewOf(employer),
      is_current_employee: false,
      start_year,
      end_year,
      position_title,
    });
  try {
    time.now = new Date('2031-01-01T00:00:00Z');
    const fresh = await signedInDoctor(server);
    author.headers = fresh.headers;
    const oldest = 2031 - YEAR_CHOICES + 1;
    expect((await years(oldest, 2031, 'A')).statusCode).toBe(201);
    expect((await years(oldest - 1, 2031, 'B')).json().detail).toBe(REVIEW_CHECKS.start_year);
    expect((await years(2030, 2032, 'C')).json().detail).toBe(REVIEW_CHECKS.end_year);
    expect((await years(2020, 2019, 'D')).json().detail).toBe(
      'The end year must not be before the start year',
    );
  } finally {
    time.now = now;
    author = await signedInDoctor(server);
  }
});

test('a current job has no end year, whatever the client sends', async () => {
  for (const end_year of [2024, reviewOf(employer).start_year - 1]) {
    const position_title = `Current ${end_year}`;
    const review = await posted({ ...reviewOf(employer), end_year, position_title });
    expect(review).toMatchObject({ is_current_employee: true, end_year: null });
  }
});

test('only a verified doctor who may post can create a review', async () => {
  const unverified = await signedInDoctor(server, {});
  const reader = await signedInDoctor(server, { verified: true });
  const payload = reviewOf(employer);
  expect((await call('POST', '/reviews/', null, payload)).statusCode).toBe(401);
  expect((await post(payload, unverified)).statusCode).toBe(403);
  expect((await post(payload, reader)).statusCode).toBe(403);
});

test('a custom employer is created once, and then found by its name', async () => {
  const custom = { ...reviewOf(0), employer: 'Harbor Light Clinic', is_custom_employer: 'true' };
  const [first, second] = await Promise.all([
    posted(custom),
    posted({ ...custom, employer: 'HARBOR-LIGHT clinic' }, stranger),
  ]);
  expect(second.employer.id).toBe(first.employer.id);
  const detail = await call('GET', `/employers/${first.employer.id}/`, null);
  expect(detail.json()).toMatchObject({ total_reviews: 2, user_submitted: true });
});

test('allows one review per employer and position, and a double click creates only one', async () => {
  const payload = reviewOf(employer, { position_title: 'Night Nocturnist' });
  const answers = await Promise.all([post(payload), post(payload), post(payload)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400]);
  const first = answers.find(({ statusCode }) => statusCode === 201)?.json();
  for (const refused of answers.filter(({ statusCode }) => statusCode === 400)) {
    expect(refused.json()).toMatchObject({
      code: 'duplicate_review',
      review_id: first.id,
      identical: true,
    });
  }
  const other = await post({ ...payload, position_title: 'night  nocturnist', overall_rating: 1 });
  expect(other.json()).toMatchObject({ review_id: first.id, identical: false });
  expect((await post(payload, stranger)).statusCode).toBe(201);
  expect((await post({ ...payload, position_title: 'Day Person' })).statusCode).toBe(201);
});

test('rejects identifying text with its field, position, and reason', async () => {
  const pros = 'Nice people. Call me at 212-555-0187!';
  const payload = reviewOf(employer, { pros, position_title: 'Screened' });
  const refused = await post(payload);
  expect(refused.statusCode).toBe(400);
  const start = pros.indexOf('212');
  expect(refused.json()).toMatchObject({
    code: 'identifying_text',
    errors: { pros: ['"212-555-0187" looks like a phone number. Please remove it.'] },
    findings: [{ field: 'pros', kind: 'phone', excerpt: '212-555-0187', start, end: start + 12 }],
  });
  const review = await posted({ ...payload, pros: 'Nice people.' });
  const edit = await call('PATCH', `/reviews/${review.id}/`, author, payload);
  expect(edit.json().code).toBe('identifying_text');
  const custom = {
    ...payload,
    pros: '',
    employer: 'www.clinic.example',
    is_custom_employer: 'true',
  };
  expect((await post(custom)).json().errors).toHaveProperty('employer');
});

test('the author can edit; the employer does not change, and the averages are updated', async () => {
  const here = await newEmployer(server);
  const elsewhere = await newEmployer(server);
  const review = await posted(reviewOf(here, { overall_rating: 5 }));
  const change = reviewOf(elsewhere, { overall_rating: 1, review_text: 'It has changed.' });
  const url = `/reviews/${review.id}/`;
  expect((await call('PATCH', url, stranger, change)).statusCode).toBe(404);
  expect((await call('PATCH', url, null, change)).statusCode).toBe(401);
  const edited = await call('PATCH', url, author, change);
  expect(edited.json()).toMatchObject({
    id: review.id,
    created_at: review.created_at,
    employer: { id: here },
    overall_rating: 1,
    review_text: 'It has changed.',
  });
  expect((await call('GET', url, null)).json()).toEqual(edited.json());
  expect((await call('GET', `/employers/${here}/`, null)).json().overall_rating).toBe(1);
});

test('a doctor who may no longer post can edit, and one who is no longer verified can delete', async () => {
  const { db } = server.deps;
  const account = await signedInDoctor(server);
  const review = await posted(reviewOf(employer), account);
  const permit = (set: object) =>
    db.updateTable('doctors').set(set).where('user_id', '=', account.userId).execute();
  const url = `/reviews/${review.id}/`;
  await permit({ can_post_reviews: false });
  expect((await call('PATCH', url, account, reviewOf(employer))).statusCode).toBe(200);
  await permit({ verified: false });
  expect((await call('PATCH', url, account, reviewOf(employer))).statusCode).toBe(403);
  const own = await call('GET', '/reviews/my_reviews/', account);
  expect([own.statusCode, own.json().detail]).toEqual([403, REVIEW_MESSAGES.ownForbidden]);
  expect((await call('DELETE', url, stranger)).statusCode).toBe(404);
  expect((await call('DELETE', url, account)).statusCode).toBe(204);
  expect((await call('DELETE', url, account)).statusCode).toBe(404);
});

test("rejects an edit to a position that the author has already reviewed, and returns that review's id", async () => {
  const here = await newEmployer(server);
  const first = await posted(reviewOf(here, { position_title: 'First' }));
  const second = await posted(reviewOf(here, { position_title: 'Second' }));
  const change = reviewOf(here, { position_title: 'FIRST' });
  const refused = await call('PATCH', `/reviews/${second.id}/`, author, change);
  expect(refused.json()).toMatchObject({ code: 'duplicate_review', review_id: first.id });
});

test('a review keeps years that are no longer offered', async () => {
  const review = await posted(reviewOf(employer, { position_title: 'Veteran' }));
  await server.deps.db
    .updateTable('reviews')
    .set({ start_year: 1980 })
    .where('id', '=', review.id)
    .execute();
  const edit = (start_year: number) =>
    call('PATCH', `/reviews/${review.id}/`, author, {
      ...reviewOf(employer, { position_title: 'Veteran' }),
      start_year,
    });
  expect((await edit(1980)).statusCode).toBe(200);
  expect((await edit(1981)).json()).toMatchObject({
    detail: REVIEW_CHECKS.start_year,
    errors: { start_year: [REVIEW_CHECKS.start_year] },
  });
});

test('deleting a review deletes its votes and reports, and updates the averages', async () => {
  const here = await newEmployer(server);
  const review = await posted(reviewOf(here));
  await call('POST', `/reviews/${review.id}/helpful/`, stranger);
  await call('POST', `/reviews/${review.id}/report/`, stranger, { reason: 'other' });
  expect((await call('DELETE', `/reviews/${review.id}/`, author)).statusCode).toBe(204);
  const detail = await call('GET', `/employers/${here}/`, null);
  expect(detail.json()).toMatchObject({ total_reviews: 0, overall_rating: null });
  for (const table of ['review_votes', 'review_reports'] as const) {
    const rows = await server.deps.db
      .selectFrom(table)
      .selectAll()
      .where('review_id', '=', review.id)
      .execute();
    expect(rows).toEqual([]);
  }
});

test("own reviews are an array, newest first, without other authors' reviews", async () => {
  const account = await signedInDoctor(server);
  expect((await call('GET', '/reviews/my_reviews/', account)).json()).toEqual([]);
  const review = await posted(reviewOf(employer), account);
  const own = await call('GET', '/reviews/my_reviews/', account);
  expect(own.headers['cache-control']).toBe('no-store');
  expect(own.json()).toEqual([{ ...review, removed_reason: null, status: 'published' }]);
});
