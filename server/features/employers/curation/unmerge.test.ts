import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmployerFile } from '#contract/employer-curation.ts';
import { DAY_MS, MERGE_UNDO_DAYS } from '#contract/limits.ts';
import type { Page } from '#contract/paging.ts';
import type { Review, ReviewRequest } from '#contract/reviews.ts';
import { retention } from '#server/features/accounts/retention.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let one: TestAccount;
let other: TestAccount;
const doctors: TestAccount[] = [];

beforeAll(async () => {
  server = await buildTestApp();
  one = await signedInAdmin(server);
  other = await signedInAdmin(server);
  while (doctors.length < 3) doctors.push(await signedInDoctor(server));
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);
const get = (path: string) => call('GET', path);
async function merge(from: number, into: number) {
  const answer = await call('POST', `/admin/employers/${from}/merge/`, one, { into });
  expect(answer.statusCode).toBe(200);
}
const undo = (from: number, by = one) =>
  call('POST', `/admin/employers/${from}/unmerge/`, by, { reason: 'Two places after all.' });
async function write(by: number, employer: number, fields: Partial<ReviewRequest> = {}) {
  const answer = await call('POST', '/reviews/', doctors[by], reviewOf(employer, fields));
  expect(answer.statusCode).toBe(201);
  return answer.json<Review>().id;
}
const reviewsOf = async (employer: number) => {
  const { results } = (await get(`/employers/${employer}/reviews/`)).json<Page<Review>>();
  return new Set(results.map(({ id }) => id));
};
const totalOf = async (employer: number) => {
  const { total_reviews, overall_rating } = (await get(`/employers/${employer}/`)).json();
  return [total_reviews, overall_rating];
};
const employers = (count: number, fields: object = {}) =>
  Promise.all(Array.from({ length: count }, () => newEmployer(server, fields))) as Promise<
    [number, number, number, number]
  >;

test('undoing a merge restores the employer, with its reviews, votes, figures, and links', async () => {
  const [into, from] = await employers(2, { city: 'Boise', state: 'ID' });
  await server.deps.db
    .updateTable('employers')
    .set({ name: 'Quillwort Infirmary', city: 'Nome', state: 'AK' })
    .where('id', '=', from)
    .execute();
  const kept = await write(0, into, { overall_rating: 1 });
  const own = await write(0, from, { overall_rating: 5 });
  const voted = await write(1, from, { overall_rating: 4 });
  await call('POST', `/reviews/${voted}/helpful/`, doctors[2]);
  const before = (await get(`/employers/${from}/insights/`)).json();
  await merge(from, into);
  const after = await write(2, into, { overall_rating: 2 });
  expect(await totalOf(into)).toEqual([4, 3]);
  expect((await get(`/employers/${from}/`)).statusCode).toBe(301);

  const undone = await undo(from);
  expect(undone.json()).toMatchObject({
    returned_reviews: 2,
    employer: { id: from, name: 'Quillwort Infirmary', total_reviews: 2, overall_rating: 4.5 },
  });
  expect(await reviewsOf(from)).toEqual(new Set([own, voted]));
  expect(await reviewsOf(into)).toEqual(new Set([kept, after]));
  expect(await totalOf(into)).toEqual([2, 1.5]);
  expect((await get(`/employers/${from}/insights/`)).json()).toEqual(before);
  const found = async (query: string) => (await get(`/employers/?search=${query}`)).json();
  expect(await found('quillwort')).toMatchObject({ count: 1, results: [{ id: from }] });
  const review = (await get(`/reviews/${voted}/`)).json<Review>();
  expect(review).toMatchObject({ helpful_count: 1, employer: { id: from, state: 'AK' } });
  const inAlaska = (await get('/reviews/?state=AK&search=quillwort')).json<Page<Review>>();
  expect(inAlaska.count).toBe(2);
  expect((await get('/reviews/?state=ID')).json<Page<Review>>().count).toBe(2);
  // Each still counts for the employer it was written for.
  const again = await call('POST', '/reviews/', doctors[0], reviewOf(from));
  expect(again.json()).toMatchObject({ code: 'duplicate_review', review_id: own });

  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'employers.unmerge')
    .where('subject', '=', String(from))
    .execute();
  const details = { from: into, returned_reviews: 2, reason: 'Two places after all.' };
  expect(acts).toEqual([{ actor: one.userId, details }]);
});

test('a review that named the merged employer by an old link moves back with it', async () => {
  const [into, from] = await employers(2);
  await merge(from, into);
  const linked = await write(0, from);
  expect(await reviewsOf(into)).toEqual(new Set([linked]));
  expect((await undo(from)).json()).toMatchObject({ returned_reviews: 1 });
  expect(await reviewsOf(from)).toEqual(new Set([linked]));
});

test('employers merged earlier are restored with it, and can be restored separately', async () => {
  const [into, from, earlier] = await employers(3);
  const oldest = await write(0, earlier);
  await merge(earlier, from);
  const own = await write(1, from);
  await merge(from, into);
  expect((await undo(from)).json()).toMatchObject({ returned_reviews: 2 });
  expect((await get(`/employers/${earlier}/`)).json()).toEqual({ merged_into: from });
  expect(await reviewsOf(from)).toEqual(new Set([oldest, own]));
  expect((await undo(earlier)).json()).toMatchObject({ returned_reviews: 1 });
  expect(await reviewsOf(from)).toEqual(new Set([own]));
  expect(await reviewsOf(earlier)).toEqual(new Set([oldest]));
});

test('after a second merge, either merge can be undone, in any order', async () => {
  for (const order of ['first', 'last'] as const) {
    const [third, into, from] = await employers(3);
    const own = await write(0, from);
    const others = await write(0, into);
    const thirds = await write(0, third);
    await merge(from, into);
    await merge(into, third);
    expect(await reviewsOf(third)).toEqual(new Set([own, others, thirds]));
    for (const id of order === 'first' ? [from, into] : [into, from]) {
      expect((await undo(id)).statusCode, order).toBe(200);
    }
    expect(await reviewsOf(from)).toEqual(new Set([own]));
    expect(await reviewsOf(into)).toEqual(new Set([others]));
    expect(await reviewsOf(third)).toEqual(new Set([thirds]));
  }
});

test('an employer merged elsewhere after an undo stays there', async () => {
  const [third, into, from] = await employers(3);
  const own = await write(0, from);
  const others = await write(1, into);
  await merge(from, into);
  await merge(into, third);
  await undo(from);
  await merge(from, third);
  expect((await undo(into)).json()).toMatchObject({ returned_reviews: 1 });
  expect(await reviewsOf(into)).toEqual(new Set([others]));
  expect(await reviewsOf(third)).toEqual(new Set([own]));
  expect((await get(`/employers/${from}/`)).json()).toEqual({ merged_into: third });
});

test('facts that changed in the meantime stay changed on both sides', async () => {
  const [into, from] = await employers(2, { phone: '(334) 555-0100' });
  await merge(from, into);
  await call('PATCH', `/admin/employers/${into}/`, one, { name: 'New Name', bed_count: 7 });
  await server.deps.db
    .updateTable('employers')
    .set({ phone: '(334) 555-0199' })
    .where('id', '=', from)
    .execute();
  expect((await undo(from)).json().employer).toMatchObject({ phone: '(334) 555-0199' });
  expect((await get(`/employers/${into}/`)).json()).toMatchObject({
    name: 'New Name',
    bed_count: 7,
    phone: '(334) 555-0100',
  });
});

test('a correction of the merged employer moves back with it', async () => {
  const [into, from] = await employers(2);
  const correction = { field: 'phone', value: '(334) 555-0177', source: 'I called them' };
  await call('POST', `/employers/${from}/corrections/`, doctors[0], correction);
  await merge(from, into);
  await undo(from);
  const accept = `/admin/employers/${from}/corrections/accept/`;
  const { field, value } = correction;
  await call('POST', accept, one, { field, value, today: null, reason: 'So it is.' });
  expect((await get(`/employers/${from}/`)).json().phone).toBe('(334) 555-0177');
  expect((await get(`/employers/${into}/`)).json().phone).toBeNull();
});

test('of two simultaneous undos, one is made; a concurrent merge waits', async () => {
  const [into, from, third] = await employers(3);
  const own = await write(0, from);
  await merge(from, into);
  const [first, second, onward] = await Promise.all([
    undo(from),
    undo(from, other),
    call('POST', `/admin/employers/${into}/merge/`, one, { into: third }),
  ]);
  expect([first.statusCode, second.statusCode].toSorted()).toEqual([200, 409]);
  expect([first, second].find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    code: 'merge_over',
  });
  expect(onward.statusCode).toBe(200);
  expect(await reviewsOf(from)).toEqual(new Set([own]));
});

test('rejects merges that cannot be undone', async () => {
  const [into, from] = await employers(2);
  expect((await undo(into)).json()).toMatchObject({ code: 'merge_over' });
  expect((await undo(999_999)).statusCode).toBe(404);
  await merge(from, into);
  const unexplained = await call('POST', `/admin/employers/${from}/unmerge/`, one, {});
  expect(unexplained.json().errors).toEqual({ reason: ['Please give a reason'] });
  await server.deps.db.deleteFrom('employers').where('id', '=', from).execute();
  expect((await undo(from)).statusCode).toBe(404);
  expect((await get(`/employers/${into}/`)).statusCode).toBe(200);
});

test('nothing is stored per review, and no time finer than a day', async () => {
  const [into, from] = await employers(2);
  await write(0, from);
  await merge(from, into);
  const row = await server.deps.db
    .selectFrom('employer_merges')
    .selectAll()
    .where('employer_id', '=', from)
    .executeTakeFirst();
  const merged_on = server.time.now.toISOString().slice(0, 10);
  expect(row).toEqual({ employer_id: from, merged_on, followed: [] });
});

// Last, because it ends the other tests' sessions.
test('a merge can be undone for 30 days; then its data is deleted', async () => {
  const [into, from] = await employers(2);
  await merge(from, into);
  const { now } = server.time;
  const today = now.toISOString().slice(0, 10);
  const listed = async (id: number, by = one) =>
    (await call('GET', `/admin/employers/${id}/`, by)).json<EmployerFile>().merges;
  const expected = {
    employer: { id: from, name: expect.any(String) },
    merged_on: today,
    undo_until: new Date(now.getTime() + MERGE_UNDO_DAYS * DAY_MS).toISOString().slice(0, 10),
  };
  expect(await listed(into)).toEqual([expected]);
  expect(await listed(from)).toEqual([expected]);

  const kept = async () => {
    await retention(server.deps)({});
    const rows = server.deps.db.selectFrom('employer_merges').selectAll();
    return (await rows.where('employer_id', '=', from).execute()).length;
  };
  server.time.now = new Date(now.getTime() + MERGE_UNDO_DAYS * DAY_MS);
  expect(await kept()).toBe(1);
  server.time.now = new Date(now.getTime() + (MERGE_UNDO_DAYS + 1) * DAY_MS);
  const late = await signedInAdmin(server);
  expect(await listed(into, late)).toEqual([]);
  expect((await undo(from, late)).json()).toMatchObject({ code: 'merge_over' });
  expect(await kept()).toBe(0);
  server.time.now = now;
});
