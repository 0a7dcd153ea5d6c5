import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case, CaseFile } from '#contract/case-queue.ts';
import { DEMAND_MESSAGES } from '#contract/legal-demand-choices.ts';
import type { LegalDemand } from '#contract/legal-demands.ts';
import { titleCase } from '#contract/names.ts';
import type { OwnReview, Review } from '#contract/reviews.ts';
import { readRecord } from '#server/features/transparency/service.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  POSTER,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let owner: TestAccount;
let other: TestAccount;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  server.time.now = new Date('2026-11-22T12:00:00Z');
  owner = await signedInAdmin(server, ['owner']);
  other = await signedInAdmin(server, ['owner']);
  author = await signedInDoctor(server, POSTER);
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);

const SUBPOENA = { kind: 'subpoena', received_on: '2026-11-20' };
const record = (fields: object = {}, by = owner) =>
  call('POST', '/admin/legal-demands/', by, { ...SUBPOENA, ...fields });
async function recorded(fields: object = {}): Promise<LegalDemand> {
  const answer = await record(fields);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<LegalDemand>();
}
const decide = (id: string, fields: object = {}, by = owner) =>
  call('POST', `/admin/legal-demands/${id}/decide/`, by, {
    outcome: 'unable',
    note: 'The reviews are locked.',
    ...fields,
  });
const liftGag = (id: string) => call('POST', `/admin/legal-demands/${id}/lift-gag/`, owner);

async function posted(by = author): Promise<Review> {
  const employer = await newEmployer(server);
  return (await call('POST', '/reviews/', by, reviewOf(employer))).json<Review>();
}
async function seenByAuthor(id: string) {
  const own = (await call('GET', '/reviews/my_reviews/', author)).json<OwnReview[]>();
  return own.find((review) => review.id === id);
}
const cases = () => server.deps.db.selectFrom('cases').selectAll();
const caseOf = (demandId: string) => cases().where('demand_id', '=', demandId).executeTakeFirst();
const acts = (subject: string) =>
  server.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'details', 'happened_on'])
    .where('subject', '=', subject)
    .execute();

test('an owner records a demand, finds it in the queue, and decides it', async () => {
  const review = await posted();
  const demand = await recorded({ review: `https://curbside.example/reviews/${review.id}?x=1#y` });
  expect(demand).toEqual({
    id: expect.any(String),
    ...SUBPOENA,
    jurisdiction: '',
    is_gagged: false,
    outcome: null,
    decided_on: null,
    review: {
      id: review.id,
      position_title: review.position_title,
      employer: review.employer.name,
      is_public: true,
    },
  });
  const { id: case_id = '' } = (await caseOf(demand.id)) ?? {};
  const queue = await call('GET', '/admin/cases/?kind=legal', owner);
  const shown = queue.json<{ results: Case[] }>().results.find(({ id }) => id === case_id);
  expect(shown).toMatchObject({
    kind: 'legal',
    title: 'Subpoena',
    detail: titleCase(review.employer.name),
    priority: 1,
    opened_on: '2026-11-22',
  });
  const file = (await call('GET', `/admin/cases/${case_id}/`, owner)).json<CaseFile>();
  expect(file.file).toEqual({ type: 'legal', demand });
  const answer = await decide(demand.id, { case_id });
  expect(answer.json()).toMatchObject({ outcome: 'unable', decided_on: '2026-11-22' });
  expect(await caseOf(demand.id)).toBeUndefined();
  expect(await acts(demand.id)).toEqual([
    {
      action: 'legal.receive',
      actor: owner.userId,
      details: { kind: 'subpoena', gagged: false },
      happened_on: '2026-11-22',
    },
    {
      action: 'legal.unable',
      actor: owner.userId,
      details: { kind: 'subpoena', note: 'The reviews are locked.' },
      happened_on: '2026-11-22',
    },
  ]);
  expect((await decide(demand.id)).json()).toMatchObject({ code: 'case_closed' });
});

test('the author sees a demand and its outcome, at the review, by day', async () => {
  const review = await posted();
  expect(await seenByAuthor(review.id)).not.toHaveProperty('legal_demands');
  const older = await recorded({ review: review.id, received_on: '2026-11-02' });
  await recorded({ review: review.id, kind: 'defamation_notice', jurisdiction: 'NY' });
  await decide(older.id, { outcome: 'withdrawn' });
  expect((await seenByAuthor(review.id))?.legal_demands).toEqual([
    { kind: 'defamation_notice', received_on: '2026-11-20', outcome: null, decided_on: null },
    {
      kind: 'subpoena',
      received_on: '2026-11-02',
      outcome: 'withdrawn',
      decided_on: '2026-11-22',
    },
  ]);
  // Nobody else does.
  const read = await call('GET', `/reviews/${review.id}/`, author);
  expect(read.json()).not.toHaveProperty('legal_demands');
});

test('a demand recorded with the wrong review can be corrected, even once it is decided', async () => {
  const [wrong, right] = [await posted(), await posted()];
  const { id } = await recorded({ review: wrong.id });
  const correct = (review: string, note = 'Misread the letter.') =>
    call('POST', `/admin/legal-demands/${id}/correct/`, owner, { review, note });
  expect((await correct(right.id, ' ')).json().errors).toEqual({ note: [DEMAND_MESSAGES.note] });
  expect((await correct(crypto.randomUUID())).json().errors).toEqual({
    review: [DEMAND_MESSAGES.review],
  });
  expect((await seenByAuthor(wrong.id))?.legal_demands).toHaveLength(1);

  expect((await correct(right.id)).json()).toMatchObject({ id, review: { id: right.id } });
  expect(await seenByAuthor(wrong.id)).not.toHaveProperty('legal_demands');
  expect((await seenByAuthor(right.id))?.legal_demands).toMatchObject([{ kind: 'subpoena' }]);
  // A second time changes nothing.
  await correct(`https://curbside.example/reviews/${right.id}`);
  await decide(id);
  expect((await correct('')).json()).toMatchObject({ review: null, outcome: 'unable' });
  expect(await seenByAuthor(right.id)).not.toHaveProperty('legal_demands');

  const logged = (await acts(id)).filter(({ action }) => action === 'demand.correct');
  expect(logged).toHaveLength(2);
  expect(logged[0]?.details).toEqual({ note: 'Misread the letter.' });
  expect(JSON.stringify(logged)).not.toMatch(new RegExp(`${wrong.id}|${right.id}`));
  const unknown = `/admin/legal-demands/${crypto.randomUUID()}/correct/`;
  expect((await call('POST', unknown, owner, { review: '', note: 'None.' })).statusCode).toBe(404);
});

test('a corrected demand under a gag is shown to nobody', async () => {
  const [wrong, right] = [await posted(), await posted()];
  const { id } = await recorded({ review: wrong.id, is_gagged: true });
  const correction = { review: right.id, note: 'Misread the letter.' };
  await call('POST', `/admin/legal-demands/${id}/correct/`, owner, correction);
  expect(await seenByAuthor(right.id)).not.toHaveProperty('legal_demands');
  await liftGag(id);
  expect((await seenByAuthor(right.id))?.legal_demands).toHaveLength(1);
  expect(await seenByAuthor(wrong.id)).not.toHaveProperty('legal_demands');
});

test('the public record is the same after a correction', async () => {
  const record = () => readRecord(server.deps);
  const { now } = server.time;
  const review = await posted();
  const { id } = await recorded({ review: review.id });
  // In the next month, which has nothing else.
  server.time.now = new Date('2026-12-05T12:00:00Z');
  const before = await record();
  const late = await signedInAdmin(server, ['owner']);
  const correction = { review: '', note: 'Misread the letter.' };
  const answer = await call('POST', `/admin/legal-demands/${id}/correct/`, late, correction);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(await record()).toEqual(before);
  server.time.now = new Date('2027-01-05T12:00:00Z');
  expect((await record()).months).toEqual(before.months);
  server.time.now = now;
});

test('nothing in the office shows who wrote the review', async () => {
  const review = await posted();
  const demand = await recorded({ review: review.id });
  const { id: case_id = '' } = (await caseOf(demand.id)) ?? {};
  for (const path of ['/admin/legal-demands/', '/admin/cases/', `/admin/cases/${case_id}/`]) {
    const answer = await call('GET', path, owner);
    expect(answer.body).not.toMatch(/_key|author|reporter|voter|review_text/);
    expect(answer.body).not.toContain(author.userId);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('a gag hides the demand from the author until an owner lifts it', async () => {
  const review = await posted();
  const { id } = await recorded({ review: review.id, is_gagged: true });
  await decide(id, { outcome: 'complied_in_part' });
  expect(await seenByAuthor(review.id)).not.toHaveProperty('legal_demands');
  for (const times of [1, 2]) {
    expect((await liftGag(id)).json(), `${times}`).toMatchObject({ is_gagged: false });
  }
  expect((await seenByAuthor(review.id))?.legal_demands).toMatchObject([
    { outcome: 'complied_in_part' },
  ]);
  const lifted = (await acts(id)).filter(({ action }) => action === 'gag.lift');
  expect(lifted).toHaveLength(1);
  expect((await liftGag(crypto.randomUUID())).statusCode).toBe(404);
});

test('a contested demand returns to the queue, and is decided once more', async () => {
  const { id } = await recorded({ kind: 'court_order' });
  const before = await caseOf(id);
  const contested = { outcome: 'contested', note: 'Too broad.' };
  expect((await decide(id, contested)).json()).toMatchObject({ outcome: 'contested' });
  const after = await caseOf(id);
  expect(after).toBeDefined();
  expect(after?.id).not.toBe(before?.id);
  expect((await decide(id, contested)).json()).toMatchObject({ code: 'case_closed' });
  expect((await decide(id, { outcome: 'complied' })).statusCode).toBe(200);
  expect(await caseOf(id)).toBeUndefined();
});

test.each(['complied', 'contested'])(
  'of two owners who decide %s at the same time, one succeeds',
  async (outcome) => {
    const { id } = await recorded();
    const answers = await Promise.all([owner, other].map((by) => decide(id, { outcome }, by)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect((await acts(id)).filter(({ action }) => action === `legal.${outcome}`)).toHaveLength(1);
  },
);

test('nobody can decide a case that somebody else has claimed', async () => {
  const { id } = await recorded();
  const { id: case_id = '' } = (await caseOf(id)) ?? {};
  await call('POST', `/admin/cases/${case_id}/claim/`, other);
  for (const outcome of ['complied', 'contested']) {
    expect((await decide(id, { outcome })).json()).toMatchObject({ code: 'case_claimed' });
  }
  expect(await caseOf(id)).toMatchObject({ id: case_id, holder: other.userId });
  expect((await decide(id, { case_id: crypto.randomUUID() }, other)).json()).toMatchObject({
    code: 'case_closed',
  });
  expect((await decide(id, { case_id }, other)).statusCode).toBe(200);
});

test.each([
  [{ kind: 'gossip' }, { kind: [DEMAND_MESSAGES.kind] }],
  [{ received_on: 'yesterday' }, { received_on: [DEMAND_MESSAGES.receivedOn] }],
  [{ received_on: '0001-01-01' }, { received_on: [DEMAND_MESSAGES.receivedOn] }],
  [{ received_on: '2026-11-23' }, { received_on: [DEMAND_MESSAGES.future] }],
  [{ review: 'https://curbside.example/employers/7' }, { review: [DEMAND_MESSAGES.review] }],
  [{ review: crypto.randomUUID() }, { review: [DEMAND_MESSAGES.review] }],
  [{ jurisdiction: 'x'.repeat(101) }, { jurisdiction: ['Must be at most 100 characters'] }],
])('rejects %j', async (fields, errors) => {
  const before = await cases().execute();
  const answer = await record(fields);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toEqual(errors);
  expect(await cases().execute()).toHaveLength(before.length);
});

test('a decision needs an outcome and a note, and a demand that exists', async () => {
  const { id } = await recorded();
  const empty = await decide(id, { outcome: 'ignored', note: ' ' });
  expect(empty.json().errors).toEqual({
    outcome: [DEMAND_MESSAGES.outcome],
    note: [DEMAND_MESSAGES.note],
  });
  expect((await decide(crypto.randomUUID())).statusCode).toBe(404);
});

test('a review that is not yet public cannot be named, but a removed one can', async () => {
  const employer = await newEmployer(server);
  const later = await call('POST', '/reviews/', author, {
    ...reviewOf(employer),
    publish: 'later',
  });
  expect((await record({ review: later.json<{ id: string }>().id })).statusCode).toBe(400);
  const review = await posted();
  const moderator = await signedInAdmin(server, ['moderator']);
  const path = `/admin/reviews/${review.id}/remove/`;
  await call('POST', path, moderator, { reason: 'Not a review.' });
  expect((await recorded({ review: review.id })).review).toMatchObject({ is_public: false });
});

test('a demand outlives its review', async () => {
  const review = await posted();
  const demand = await recorded({ review: review.id, jurisdiction: ' Cook County, IL ' });
  await call('DELETE', `/reviews/${review.id}/`, author);
  expect(await caseOf(demand.id)).toBeDefined();
  expect((await decide(demand.id, { outcome: 'complied' })).json()).toMatchObject({
    review: null,
    jurisdiction: 'Cook County, IL',
    outcome: 'complied',
  });
  const { results } = (await call('GET', '/admin/legal-demands/?page_size=100', owner)).json<{
    results: LegalDemand[];
  }>();
  expect(results.find(({ id }) => id === demand.id)).toMatchObject({ outcome: 'complied' });
  const days = results.map(({ received_on }) => received_on);
  expect(days).toEqual(days.toSorted().toReversed());
});
