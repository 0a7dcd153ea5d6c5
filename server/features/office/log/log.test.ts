import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '#contract/audit-log.ts';
import { LOG_KIND_KEYS, logKindsFor, STAFF_ACTS } from '#contract/logged-acts.ts';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let owner: TestAccount;
let verifier: TestAccount;
let auditor: TestAccount;
let author: TestAccount;
let reporter: TestAccount;
let representative: TestAccount;
let review: Review;

const call = async (
  method: 'POST' | 'GET' | 'PATCH',
  path: string,
  by: TestAccount,
  payload?: object,
) => {
  const { headers } = by;
  const answer = await server.app.inject({
    method,
    url: `/api${path}`,
    headers,
    ...(payload && { payload }),
  });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer;
};
const read = async (query = '', by = auditor) =>
  (await call('GET', `/admin/log/?page_size=100${query}`, by)).json<Page<LogEntry>>();
const actsOf = async (query = '', by = auditor) =>
  (await read(query, by)).results.map(({ act }) => act).toSorted();

/** Some of everything, by a reader, an author, and staff in every role. */
beforeAll(async () => {
  server = await buildTestApp();
  owner = await signedInAdmin(server, ['owner', 'moderator', 'curator']);
  const other = await signedInAdmin(server, ['moderator']);
  verifier = await signedInAdmin(server, ['verifier']);
  auditor = await signedInAdmin(server, ['auditor']);
  author = await signedInDoctor(server);
  reporter = await signedInDoctor(server);
  const employer = await newEmployer(server);
  representative = await signedInRepresentative(server, employer, { state: 'pending' });
  review = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
  const at = `/reviews/${review.id}`;
  const grounds = { reason: 'It names a nurse.', rule: 'private_persons' };
  await call('POST', `${at}/helpful/`, reporter);
  await call('POST', `${at}/report/`, reporter, { reason: 'abusive', note: 'Canary note.' });
  await call('POST', `/admin${at}/remove/`, owner, grounds);
  await call('POST', `${at}/appeal/`, author, { text: 'Canary appeal.' });
  const answer = { outcome: 'overturn', answer: 'You are right.' };
  await call('POST', `/admin${at}/appeal/`, other, answer);
  const doctor = await signedInDoctor(server, {});
  const reason = { reason: 'Showed a badge.' };
  await call('POST', `/admin/doctors/${doctor.userId}/verify/`, verifier, reason);
  await call('POST', `/admin/doctors/${author.userId}/deny-posting/`, verifier, reason);
  await call('POST', `/admin/representatives/${representative.userId}/approve/`, owner, reason);
  await call('PATCH', `/admin/employers/${employer}/`, owner, {
    bed_count: 12,
    reason: 'Counted.',
  });
  await call('PATCH', `/admin/staff/${other.userId}/`, owner, { roles: ['moderator', 'curator'] });
});
afterAll(() => server[Symbol.asyncDispose]());

test('an auditor reads who of the staff did what, and why', async () => {
  const { count, results } = await read();
  expect(count).toBe(results.length);
  const day = server.time.now.toISOString().slice(0, 10);
  const found = (act: string) => results.find((entry) => entry.act === act);
  expect(found('review.remove')).toEqual({
    id: expect.any(String),
    happened_on: day,
    actor: 'Root Example',
    act: 'review.remove',
    subject: { type: 'review', id: review.id },
    details: { rule: 'private_persons', source: 'report' },
  });
  expect(found('doctor.verify')).toMatchObject({
    subject: null,
    details: { reason: 'Showed a badge.' },
  });
  const { id } = review.employer;
  expect(found('employers.curate')).toMatchObject({
    subject: { type: 'employer', id },
    details: { bed_count: 12, reason: 'Counted.' },
  });
  expect(found('representative.approve')).toMatchObject({ subject: { type: 'employer', id } });
  expect(found('staff.appoint')).toMatchObject({
    subject: { type: 'name', name: 'Root Example' },
    details: { roles: 'moderator,curator' },
  });
});

test('the log names no author, voter, reporter, or doctor, nor what they did', async () => {
  const { body } = await call('GET', '/admin/log/?page_size=100', auditor);
  for (const { userId, email } of [author, reporter, representative]) {
    expect(body).not.toContain(userId);
    expect(body).not.toContain(email);
  }
  expect(body).not.toMatch(/Canary|Ada|"reader"|"author"|receive|days/);
  const doctors = (await read('&kind=doctors')).results;
  expect(doctors.map(({ subject }) => subject)).toEqual([null, null]);
});

test('an auditor who verifies doctors reads nothing about reviews', async () => {
  const both = await signedInAdmin(server, ['verifier', 'auditor']);
  const all = await actsOf();
  expect(all).toContain('appeal.overturn');
  const theirs = all.filter((act) => !/^(review|appeal|second-look|reply)\./.test(act));
  expect(await actsOf('', both)).toEqual(theirs);
  expect(await read('&kind=reviews', both)).toMatchObject({ count: 0, results: [] });
  expect(logKindsFor(['owner', 'moderator', 'verifier', 'auditor'])).toEqual(LOG_KIND_KEYS);
});

test('filters by kind and month, and lists the most recent day first, page by page', async () => {
  expect(await actsOf('&kind=reviews')).toEqual(['appeal.overturn', 'review.remove']);
  const { db } = server.deps;
  const old = { actor: 'cli', action: 'keys.rotate', subject: 'accounts' };
  const days = ['2020-01-31', '2020-02-01', '2020-02-29', '2020-03-01'];
  await db
    .insertInto('audit_log')
    .values(days.map((happened_on) => ({ ...old, happened_on })))
    .execute();
  const february = await read('&month=2020-02');
  expect(february.results).toMatchObject([
    { happened_on: '2020-02-29', actor: 'Command', subject: { type: 'name', name: 'accounts' } },
    { happened_on: '2020-02-01' },
  ]);
  expect((await read('&month=2020-02&kind=staff')).count).toBe(0);
  const seen = (await read('&kind=server')).results.map(({ happened_on }) => happened_on);
  expect(seen).toEqual(days.toReversed());
  const page = await call('GET', '/admin/log/?kind=server&page=2&page_size=3', auditor);
  expect(page.json<Page<LogEntry>>()).toMatchObject({
    count: 4,
    next: null,
    previous: '/api/admin/log/?kind=server&page=1&page_size=3',
    results: [{ happened_on: '2020-01-31' }],
  });
  const { headers } = auditor;
  for (const query of ['kind=gossip', 'month=2020-13', 'month=2020', 'actor=x']) {
    const answer = await server.app.inject({ url: `/api/admin/log/?${query}`, headers });
    expect([query, answer.statusCode]).toEqual([query, 400]);
  }
});

test('labels a staff member whose account was deleted', async () => {
  const happened_on = '2019-05-01';
  const act = { action: 'factor.remove', happened_on };
  const gone = crypto.randomUUID();
  await server.deps.db
    .insertInto('audit_log')
    .values({ ...act, actor: gone, subject: gone })
    .execute();
  expect((await read('&month=2019-05')).results).toMatchObject([
    { actor: 'Deleted account', subject: null },
  ]);
});

test('every act has one text', () => {
  const acts = Object.values(STAFF_ACTS).flatMap((kind) => Object.keys(kind));
  expect(new Set(acts).size).toBe(acts.length);
});
