import pg from 'pg';
import { vi } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints, feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { YEAR_CHOICES } from '#contract/limits.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { REVIEW_CHECKS } from '#contract/reviews/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, expect, invalid, test as siteTest } from '#server/testing/site.ts';

const test = siteTest
  .extend('author', ({ site }) => site.doctor())
  .extend('stranger', ({ site }) => site.doctor())
  .extend('employer', ({ site }) => site.employer());

const { create, edit, listOwn, read, delete: remove } = reviewEndpoints;
const without = (payload: object, fields: readonly string[]) =>
  invalid(Object.fromEntries(Object.entries(payload).filter(([name]) => !fields.includes(name))));

test('the checks have the documented order and texts', async ({ site, author, employer }) => {
  const whole = { ...reviewOf(employer), is_current_employee: false, end_year: 2023 };
  const order = Object.keys(REVIEW_CHECKS) as (keyof typeof REVIEW_CHECKS)[];
  for (const [place, field] of order.entries()) {
    const { problem } = await site.as(author).post(create, without(whole, order.slice(place)));
    const message = REVIEW_CHECKS[field];
    expect(problem).toMatchObject({ status: 400, detail: message, message });
    expect(Object.keys(problem.errors ?? {})[0]).toBe(field);
  }
});

test.for([
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
] as const)('rejects %s %j', async ([field, value, message], { site, author, employer }) => {
  const payload = invalid({ ...reviewOf(employer), [field]: value });
  const { problem } = await site.as(author).post(create, payload);
  expect(problem).toMatchObject({ status: 400, detail: message, errors: { [field]: [message] } });
});

test.for([
  ['an id', 'false', (id) => [`0x${id.toString(16)}`, `${id}e0`, `+${id}`, `0${id}`, `${id}.0`]],
  ['an id', 'false', () => ['0', '-1', 'abc', '1e99', '9999999999', '', null]],
  ['a name', 'true', () => ['-1', '24/7', '!!!', ' ', null]],
] as const satisfies [string, string, (id: number) => unknown[]][])(
  'what is not %s of an employer is refused before the ratings',
  async ([, is_custom_employer, spell], { site, author, employer }) => {
    for (const text of spell(employer)) {
      const review = { ...reviewOf(employer), employer: text, is_custom_employer };
      const { problem } = await site
        .as(author)
        .post(create, invalid({ ...review, overall_rating: 0 }));
      const { employer: message, overall_rating } = REVIEW_CHECKS;
      expect([text, problem.detail]).toEqual([text, message]);
      expect(problem.errors).toMatchObject({
        employer: [message],
        overall_rating: [overall_rating],
      });
    }
  },
);

test('a custom name needs a letter, and may have digits', async ({ site, author }) => {
  const review = { ...reviewOf(0), employer: '4Ever', is_custom_employer: 'true' } as const;
  const { body } = await site.as(author).post(create, review);
  expect(body.employer.name).toBe('4Ever');
});

test("accepts the 30 years up to the current year of the server's clock", async ({
  site,
  employer,
}) => {
  site.time.now = new Date('2031-01-01T00:00:00Z');
  const author = await site.doctor();
  const years = (start_year: number, end_year: number, position_title: string) => {
    const job = { is_current_employee: false, start_year, end_year, position_title };
    return site.as(author).post(create, reviewOf(employer, job));
  };
  const oldest = 2031 - YEAR_CHOICES + 1;
  expect((await years(oldest, 2031, 'A')).status).toBe(201);
  expect((await years(oldest - 1, 2031, 'B')).problem.detail).toBe(REVIEW_CHECKS.start_year);
  expect((await years(2030, 2032, 'C')).problem.detail).toBe(REVIEW_CHECKS.end_year);
  const order = 'The end year must not be before the start year';
  expect((await years(2020, 2019, 'D')).problem.detail).toBe(order);
});

test('a current job has no end year, whatever is sent', async ({ site, author, employer }) => {
  for (const end_year of [2024, reviewOf(employer).start_year - 1, 2999, 0, -1]) {
    const review = { ...reviewOf(employer), end_year, position_title: `Current ${end_year}` };
    const { body } = await site.as(author).post(create, review);
    expect(body).toMatchObject({ is_current_employee: true, end_year: null });
  }
});

test('only a verified doctor who may post can create a review', async ({ site, employer }) => {
  const unverified = await site.doctor({});
  const reader = await site.doctor({ verified: true });
  const review = reviewOf(employer);
  expect((await site.visitor().post(create, review)).status).toBe(401);
  expect((await site.as(unverified).post(create, review)).status).toBe(403);
  expect((await site.as(reader).post(create, review)).status).toBe(403);
});

test('a custom employer is created once, then found', async ({ site, author, stranger }) => {
  const post = (by: typeof author, name: string) =>
    site.as(by).post(create, { ...reviewOf(0), employer: name, is_custom_employer: 'true' });
  const [first, second] = await Promise.all([
    post(author, 'Harbor Light Edit Clinic'),
    post(stranger, 'HARBOR-LIGHT edit clinic'),
  ]);
  const { id } = first.body.employer;
  expect(second.body.employer.id).toBe(id);
  const { body } = await site.visitor().get(employerEndpoints.read, { params: { id } });
  expect(body).toMatchObject({ total_reviews: 2, user_submitted: true });
});

test.for(['now', 'later'] as const)(
  'a new name is looked up once (%s)',
  async (publish, { site }) => {
    const author = site.as(await site.doctor());
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const custom = {
      employer: `Quillmere ${publish}`,
      is_custom_employer: 'true',
      publish,
    } as const;
    expect((await author.post(create, { ...reviewOf(0), ...custom })).status).toBe(201);
    const texts = asked.mock.calls.map(([statement]) => JSON.stringify(statement));
    asked.mockRestore();
    expect(texts.filter((text) => text.includes('from employers as named'))).toHaveLength(1);
  },
);

test('allows one review per employer and position, also by double click or edit', async ({
  site,
  author,
  stranger,
  employer,
}) => {
  const review = reviewOf(employer, { position_title: 'Night Nocturnist' });
  const post = (changes = {}, by = author) => site.as(by).post(create, { ...review, ...changes });
  const replies = await Promise.all([post(), post(), post()]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  const id = replies.find(({ status }) => status === 201)?.body.id;
  for (const { problem } of replies.filter(({ status }) => status === 400)) {
    expect(problem).toMatchObject({ code: 'duplicate_review', review_id: id, identical: true });
  }
  const other = await post({ position_title: 'night  nocturnist', overall_rating: 1 });
  expect(other.problem).toMatchObject({ review_id: id, identical: false });
  expect((await post({}, stranger)).status).toBe(201);
  const day = (await post({ position_title: 'Day Person' })).body;
  const change = { ...review, position_title: 'NIGHT NOCTURNIST' };
  const edited = await site.as(author).patch(edit, change, at(day.id));
  expect(edited.problem).toMatchObject({ code: 'duplicate_review', review_id: id });
});

test('rejects identifying text with field, place, reason', async ({ site, author, employer }) => {
  const pros = 'Nice people. Call me at 212-555-0187!';
  const payload = reviewOf(employer, { pros, position_title: 'Screened' });
  const start = pros.indexOf('212');
  expect((await site.as(author).post(create, payload)).problem).toMatchObject({
    status: 400,
    code: 'identifying_text',
    errors: { pros: ['"212-555-0187" looks like a phone number. Please remove it.'] },
    findings: [{ field: 'pros', kind: 'phone', excerpt: '212-555-0187', start, end: start + 12 }],
  });
  const { id } = await site.review({ by: author, at: employer });
  const edited = await site.as(author).patch(edit, payload, at(id));
  expect(edited.problem.code).toBe('identifying_text');
  const custom = { employer: 'www.clinic.example', is_custom_employer: 'true', pros: '' } as const;
  const { problem } = await site.as(author).post(create, { ...payload, ...custom });
  expect(problem.errors).toHaveProperty('employer');
});

test('the author can edit; the employer does not change, and the averages are updated', async ({
  site,
  author,
  stranger,
  employer,
}) => {
  const review = await site.review({ by: author, at: employer, overall_rating: 5 });
  const elsewhere = await site.employer();
  const change = reviewOf(elsewhere, { overall_rating: 1, review_text: 'It has changed.' });
  expect((await site.as(stranger).patch(edit, change, at(review.id))).status).toBe(404);
  expect((await site.visitor().patch(edit, change, at(review.id))).status).toBe(401);
  const edited = await site.as(author).patch(edit, change, at(review.id));
  expect(edited.body).toMatchObject({
    id: review.id,
    created_at: review.created_at,
    employer: { id: employer },
    overall_rating: 1,
    review_text: 'It has changed.',
  });
  expect((await site.visitor().get(read, at(review.id))).body).toEqual(edited.body);
  const { body } = await site.visitor().get(employerEndpoints.read, { params: { id: employer } });
  expect(body.overall_rating).toBe(1);
});

test('a doctor who may no longer post can edit, and one who is no longer verified can delete', async ({
  site,
  author,
  stranger,
  employer,
}) => {
  const { id } = await site.review({ by: author, at: employer });
  const permit = (set: object) => site.change('doctors', { user_id: author.userId }, set);
  await permit({ can_post_reviews: false });
  expect((await site.as(author).patch(edit, reviewOf(employer), at(id))).status).toBe(200);
  await permit({ verified: false });
  expect((await site.as(author).patch(edit, reviewOf(employer), at(id))).status).toBe(403);
  const { problem } = await site.as(author).get(listOwn);
  expect(problem).toMatchObject({ status: 403, detail: REVIEW_MESSAGES.ownForbidden });
  expect((await site.as(stranger).delete(remove, at(id))).status).toBe(404);
  expect((await site.as(author).delete(remove, at(id))).status).toBe(204);
  expect((await site.as(author).delete(remove, at(id))).status).toBe(404);
});

test('a review keeps years that are no longer offered', async ({ site, author, employer }) => {
  const { id } = await site.review({ by: author, at: employer });
  await site.change('reviews', { id }, { start_year: 1980 });
  const editTo = (start_year: number) =>
    site.as(author).patch(edit, reviewOf(employer, { start_year }), at(id));
  expect((await editTo(1980)).status).toBe(200);
  expect((await editTo(1981)).problem).toMatchObject({
    detail: REVIEW_CHECKS.start_year,
    errors: { start_year: [REVIEW_CHECKS.start_year] },
  });
});

test('a deletion updates votes and averages', async ({ site, author, stranger, employer }) => {
  const { id } = await site.review({ by: author, at: employer });
  await site.as(stranger).post(castVoteEndpoints.helpful, at(id));
  await site.as(stranger).post(feedbackEndpoints.report, { reason: 'other' }, at(id));
  expect((await site.as(author).delete(remove, at(id))).status).toBe(204);
  const { body } = await site.visitor().get(employerEndpoints.read, { params: { id: employer } });
  expect(body).toMatchObject({ total_reviews: 0, overall_rating: null });
  for (const table of ['review_votes', 'review_reports'] as const) {
    expect(await site.rows(table, { review_id: id })).toEqual([]);
  }
});

test("own reviews are an array, newest first, and no one else's", async ({ site, author }) => {
  expect((await site.as(author).get(listOwn)).body).toEqual([]);
  const review = await site.review({ by: author });
  const own = await site.as(author).get(listOwn);
  expect(own.headers['cache-control']).toBe('no-store, no-transform');
  expect(own.body).toEqual([{ ...review, removed_reason: null, status: 'published' }]);
});
