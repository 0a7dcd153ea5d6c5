import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnsweredReport } from '#contract/review-feedback.ts';
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
let admin: TestAccount;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  admin = await signedInAdmin(server);
  author = await signedInDoctor(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (url: string, { headers }: TestAccount, payload?: object) =>
  server.app.inject({ method: 'POST', url: `/api${url}`, headers, ...(payload && { payload }) });
const answersOf = async ({ headers }: TestAccount) =>
  (await server.app.inject({ url: '/api/reviews/reports/', headers })).json<AnsweredReport[]>();

async function reportedBy(reporter: TestAccount): Promise<string> {
  const review = reviewOf(await newEmployer(server, { name: 'Reported Hospital' }));
  const { id } = (await send('/reviews/', author, review)).json<Review>();
  await send(`/reviews/${id}/report/`, reporter, { reason: 'abusive' });
  return id;
}

test('reporters see the outcome of their reports, and nobody else does', async () => {
  const [reporter, other] = [await signedInDoctor(server, {}), await signedInDoctor(server, {})];
  const [kept, removed, open] = [
    await reportedBy(reporter),
    await reportedBy(reporter),
    await reportedBy(reporter),
  ];
  expect(await answersOf(reporter)).toEqual([]);
  await send(`/admin/reviews/${kept}/keep/`, admin, { rule: 'abuse' });
  await send(`/admin/reviews/${removed}/remove/`, admin, { reason: 'A secret', rule: 'patients' });
  const decided_on = server.time.now.toISOString().slice(0, 10);
  const answers = await answersOf(reporter);
  expect(answers).toHaveLength(2);
  expect(answers).toContainEqual({
    about: 'review',
    outcome: 'kept',
    rule: 'abuse',
    decided_on,
    employer: 'Reported Hospital',
    position_title: reviewOf(1).position_title,
    review_id: kept,
  });
  // For a review that is not public, nothing that was not public before.
  expect(answers).toContainEqual({
    about: 'review',
    outcome: 'removed',
    rule: 'patients',
    decided_on,
    employer: 'Reported Hospital',
    position_title: null,
    review_id: null,
  });
  expect(JSON.stringify(answers)).not.toContain(open);
  expect(await answersOf(other)).toEqual([]);
  expect(await answersOf(author)).toEqual([]);
});

test('answers are shown for 90 days', async () => {
  const reporter = await signedInDoctor(server, {});
  const id = await reportedBy(reporter);
  await send(`/admin/reviews/${id}/keep/`, admin);
  const setDay = (days: number) =>
    server.deps.db
      .updateTable('review_reports')
      .set({ closed_on: new Date(server.time.now.getTime() - days * 86_400_000).toISOString() })
      .where('review_id', '=', id)
      .execute();
  await setDay(90);
  expect(await answersOf(reporter)).toHaveLength(1);
  await setDay(91);
  expect(await answersOf(reporter)).toEqual([]);
});

test('reporters see the latest change to the review since their report', async () => {
  const reporter = await signedInDoctor(server, {});
  const other = await signedInAdmin(server);
  const id = await reportedBy(reporter);
  const url = `/admin/reviews/${id}`;
  const answer = async () =>
    (await answersOf(reporter)).map(({ outcome, rule, decided_on, review_id }) => [
      outcome,
      rule,
      decided_on,
      review_id,
    ]);
  const today = server.time.now.toISOString().slice(0, 10);
  await send(`${url}/remove/`, admin, { reason: 'A secret', rule: 'patients' });
  const decided_on = '2026-01-31';
  const { db } = server.deps;
  await db
    .updateTable('review_decisions')
    .set({ decided_on })
    .where('review_id', '=', id)
    .execute();
  expect(await answer()).toEqual([['removed', 'patients', decided_on, null]]);

  const [decision] = await db
    .selectFrom('review_decisions')
    .select('id')
    .where('review_id', '=', id)
    .execute();
  await db
    .insertInto('review_appeals')
    .values({ decision_id: decision?.id ?? '', text: 'It names nobody.' })
    .execute();
  await send(`${url}/appeal/`, other, { outcome: 'overturn', answer: 'You are right.' });
  expect(await answer()).toEqual([['restored', 'patients', today, id]]);

  // Other people's reports are not shown to this reporter.
  await send(`/reviews/${id}/report/`, await signedInDoctor(server, {}), { reason: 'abusive' });
  await send(`${url}/keep/`, admin, { rule: 'abuse' });
  expect(await answer()).toEqual([['restored', 'patients', today, id]]);

  await send(`${url}/hold/`, admin, { reason: 'Leave it out.', rule: 'private_persons' });
  expect(await answer()).toEqual([['removed', 'private_persons', today, null]]);
});

test('a rejected appeal changes nothing for reporters: only its author knows about it', async () => {
  const reporter = await signedInDoctor(server, {});
  const id = await reportedBy(reporter);
  await send(`/admin/reviews/${id}/remove/`, admin, { reason: 'A secret', rule: 'patients' });
  await server.deps.db
    .updateTable('review_decisions')
    .set({ decided_on: '2026-01-31' })
    .where('review_id', '=', id)
    .execute();
  const before = await answersOf(reporter);
  await server.deps.db
    .insertInto('review_appeals')
    .columns(['decision_id', 'text'])
    .expression((eb) =>
      eb
        .selectFrom('review_decisions')
        .select(['id', eb.val('It names nobody.').as('text')])
        .where('review_id', '=', id),
    )
    .execute();
  const answer = { outcome: 'uphold', answer: 'It does.' };
  const upheld = await send(`/admin/reviews/${id}/appeal/`, await signedInAdmin(server), answer);
  expect(upheld.statusCode).toBe(200);
  expect(await answersOf(reporter)).toEqual(before);
});

test('reporters of a reply see that it is public again', async () => {
  const reporter = await signedInDoctor(server, {});
  const employer = await newEmployer(server);
  const { id } = (await send('/reviews/', author, reviewOf(employer))).json<Review>();
  await send(`/reviews/${id}/reply/`, await signedInRepresentative(server, employer), {
    text: 'Hi',
  });
  await send(`/reviews/${id}/reply/report/`, reporter, { reason: 'abusive' });
  await send(`/admin/replies/${id}/remove/`, admin, { reason: 'Rude', rule: 'abuse' });
  expect(await answersOf(reporter)).toMatchObject([{ outcome: 'removed', rule: 'abuse' }]);
  await send(`/admin/replies/${id}/keep/`, admin, { rule: 'general' });
  expect(await answersOf(reporter)).toMatchObject([{ outcome: 'restored', rule: 'general' }]);
});
