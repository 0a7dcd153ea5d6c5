import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case, CaseFile } from '#contract/case-queue.ts';
import { CASE_CLAIM_MINUTES } from '#contract/cases.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import type { Review } from '#contract/reviews.ts';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmail,
  newEmployer,
  newNpi,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let one: TestAccount;
let other: TestAccount;
let verifier: TestAccount;
let secondVerifier: TestAccount;

beforeAll(async () => {
  server = await buildTestApp();
  one = await signedInAdmin(server);
  other = await signedInAdmin(server);
  verifier = await signedInAdmin(server, ['verifier']);
  secondVerifier = await signedInAdmin(server, ['verifier']);
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);

async function reported(reason = 'abusive'): Promise<Review> {
  const author = await signedInDoctor(server);
  const employer = await newEmployer(server);
  const review = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
  await report(review.id, reason);
  return review;
}

const report = async (id: string, reason: string) =>
  call('POST', `/reviews/${id}/report/`, await signedInDoctor(server, {}), { reason });

async function waitingDoctor(): Promise<string> {
  const details = { email: newEmail(), first_name: 'Ida', last_name: 'Waits', npi: newNpi() };
  const { deps } = server;
  const id = await addDoctor(deps, { ...details, password: null, profile: {} });
  const subject = { kind: 'doctor', account_id: id, priority: 2, opened_on: '2026-11-16' } as const;
  await deps.db.insertInto('cases').values(subject).execute();
  return id;
}

const list = async (query = '', by = one) =>
  (await call('GET', `/admin/cases/?page_size=50${query}`, by)).json<{
    count: number;
    results: Case[];
  }>();
const caseOf = async (title: string, by = one) => {
  const found = (await list('', by)).results.find((one) => one.title === title);
  if (!found) throw new Error(`no case about ${title}`);
  return found;
};
const caseAbout = async (column: 'review_id' | 'account_id', id: string) =>
  server.deps.db.selectFrom('cases').selectAll().where(column, '=', id).executeTakeFirst();
const fileOf = async (id: string, by = one) => call('GET', `/admin/cases/${id}/`, by);

test('is only for administrators', async () => {
  const doctor = await signedInDoctor(server);
  for (const [account, status] of [
    [undefined, 401],
    [doctor, 403],
  ] as const) {
    expect((await call('GET', '/admin/cases/', account)).statusCode).toBe(status);
    for (const act of ['claim', 'release']) {
      const path = `/admin/cases/${crypto.randomUUID()}/${act}/`;
      expect((await call('POST', path, account)).statusCode).toBe(status);
    }
  }
});

test('lists the most urgent first, and filters', async () => {
  const spam = await reported('off_topic');
  const private_ = await reported('private_details');
  const doctor = await waitingDoctor();
  const { results } = await list();
  expect(results.map(({ kind }) => kind)).not.toContain('doctor');
  expect(results.map(({ priority }) => priority)).toEqual(
    results.map(({ priority }) => priority).toSorted(),
  );
  const reports = (await list('&kind=report')).results.map(({ kind }) => kind);
  expect(new Set(reports)).toEqual(new Set(['report']));
  expect((await list('&priority=1')).results.every(({ priority }) => priority === 1)).toBe(true);
  const urgent = await caseAbout('review_id', private_.id);
  const low = await caseAbout('review_id', spam.id);
  expect([urgent?.priority, low?.priority]).toEqual([1, 3]);
  expect(await caseOf('Ida Waits', verifier)).toMatchObject({
    kind: 'doctor',
    opened_on: '2026-11-16',
    claim: null,
    detail: expect.stringMatching(/^NPI \d{10}$/),
  });
  expect(await caseAbout('account_id', doctor)).toBeDefined();
  expect((await call('GET', '/admin/cases/?kind=gossip', one)).statusCode).toBe(400);
});

test('a more serious report makes a case more urgent, and never less', async () => {
  const review = await reported('off_topic');
  await report(review.id, 'private_details');
  await report(review.id, 'other');
  const rows = await server.deps.db
    .selectFrom('cases')
    .select('priority')
    .where('review_id', '=', review.id)
    .execute();
  expect(rows).toEqual([{ priority: 1 }]);
});

test('the file of a reported review names neither author nor reporters', async () => {
  const review = await reported();
  const { id = '' } = (await caseAbout('review_id', review.id)) ?? {};
  const answer = await fileOf(id);
  const { file } = answer.json<CaseFile>();
  expect(file).toMatchObject({ type: 'review', reports: [{ reason: 'abusive' }] });
  expect(answer.body).not.toMatch(/_key|author|reporter|voter/);
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('of two administrators who claim a case at the same time, one gets it, for half an hour', async () => {
  const review = await reported();
  const { id = '' } = (await caseAbout('review_id', review.id)) ?? {};
  const path = `/admin/cases/${id}/claim/`;
  const answers = await Promise.all([one, other].map((by) => call('POST', path, by)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    code: 'case_claimed',
  });
  const winner = answers[0]?.statusCode === 200 ? one : other;
  const loser = winner === one ? other : one;
  const seen = (by: TestAccount) => fileOf(id, by).then((answer) => answer.json<CaseFile>().case);
  expect((await seen(winner)).claim).toMatchObject({ is_own: true });
  expect((await seen(loser)).claim).toMatchObject({ is_own: false, name: 'Root Example' });
  const keep = `/admin/reviews/${review.id}/keep/`;
  expect((await call('POST', keep, loser)).json()).toMatchObject({ code: 'case_claimed' });
  // The rejected decision has no effect.
  expect((await fileOf(id)).statusCode).toBe(200);
  const { now } = server.time;
  server.time.now = new Date(now.getTime() + CASE_CLAIM_MINUTES * MINUTE_MS);
  const late = await signedInAdmin(server);
  expect((await seen(late)).claim).toBeNull();
  expect((await call('POST', path, late)).statusCode).toBe(200);
  server.time.now = now;
  expect((await call('POST', path, winner)).statusCode).toBe(409);
  // Nobody can release what somebody else has claimed.
  expect((await call('POST', `/admin/cases/${id}/release/`, winner)).statusCode).toBe(200);
  expect((await seen(late)).claim).toMatchObject({ is_own: true });
  await call('POST', `/admin/cases/${id}/release/`, late);
  expect((await seen(late)).claim).toBeNull();
  expect((await call('POST', keep, winner)).statusCode).toBe(200);
  expect((await call('POST', path, loser)).json()).toMatchObject({ code: 'case_closed' });
  expect((await fileOf(id)).statusCode).toBe(404);
});

test('deleting a review or an account deletes its cases', async () => {
  const author = await signedInDoctor(server);
  const employer = await newEmployer(server);
  const review = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
  await report(review.id, 'abusive');
  expect(await caseAbout('review_id', review.id)).toBeDefined();
  await call('DELETE', `/reviews/${review.id}/`, author);
  expect(await caseAbout('review_id', review.id)).toBeUndefined();
  const doctor = await waitingDoctor();
  await server.deps.db.deleteFrom('users').where('id', '=', doctor).execute();
  expect(await caseAbout('account_id', doctor)).toBeUndefined();
});

test('decides about a doctor once, with a reason for the log', async () => {
  const doctor = await waitingDoctor();
  const { id: case_id = '' } = (await caseAbout('account_id', doctor)) ?? {};
  const verify = `/admin/doctors/${doctor}/verify/`;
  expect((await call('POST', verify, verifier, { case_id })).json().errors).toEqual({
    reason: ['Please give a reason'],
  });
  const decide = (by: TestAccount) =>
    call('POST', verify, by, { reason: 'Showed a badge.', case_id });
  const answers = await Promise.all([decide(verifier), decide(secondVerifier)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('case_closed');
  expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toMatchObject({
    verified: true,
  });
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject', '=', doctor)
    .execute();
  expect(acts).toEqual([{ action: 'doctor.verify', details: { reason: 'Showed a badge.' } }]);
  for (const act of ['deny-posting', 'allow-posting', 'refuse', 'evict', 'ban', 'dismiss']) {
    const path = `/admin/doctors/${doctor}/${act}/`;
    const answer = await call('POST', path, verifier, { reason: 'x' });
    expect([act, answer.statusCode]).toEqual([act, 200]);
  }
});

test('a submitted employer is a case until it is accepted or merged', async () => {
  const doctor = await signedInDoctor(server);
  const added = await call('POST', '/employers/custom/', doctor, { name: 'Lakeside Two Hospital' });
  const employer = added.json().id;
  const { id: case_id, kind } = await caseOf('Lakeside Two Hospital');
  expect(kind).toBe('employer');
  expect((await fileOf(case_id)).json().file).toMatchObject({ type: 'employer', candidates: [] });
  const accept = `/admin/employers/${employer}/accept/`;
  expect((await call('POST', accept, one, { case_id })).statusCode).toBe(200);
  expect((await call('POST', accept, other, { case_id })).json().code).toBe('case_closed');
  expect((await call('POST', '/admin/employers/999999/accept/', one, {})).statusCode).toBe(404);

  const again = await call('POST', '/employers/custom/', doctor, { name: 'Lakeside III' });
  const third = await caseOf('Lakeside III');
  const merge = `/admin/employers/${again.json().id}/merge/`;
  const into = { into: employer, case_id: third.id };
  expect((await call('POST', merge, one, into)).statusCode).toBe(200);
  expect((await list()).results.map(({ title }) => title)).not.toContain('Lakeside III');
});

test('names the next case for the same filters that nobody else has claimed', async () => {
  const first = (await caseAbout('review_id', (await reported('private_details')).id))?.id ?? '';
  await reported('private_details');
  const next = async () =>
    (await call('GET', `/admin/cases/${first}/?priority=1`, one)).json<CaseFile>().next_id;
  const second = await next();
  expect(second).not.toBe(first);
  expect(second).not.toBeNull();
  await call('POST', `/admin/cases/${second}/claim/`, other);
  expect(await next()).not.toBe(second);
});
