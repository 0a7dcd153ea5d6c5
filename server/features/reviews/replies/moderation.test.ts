import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case, CaseFile } from '#contract/case-queue.ts';
import type { AnsweredReport } from '#contract/review-feedback.ts';
import type { ModeratedReply } from '#contract/review-moderation.ts';
import type { Review } from '#contract/reviews.ts';
import { refusalOf } from '#server/features/accounts/testing/account-flows.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let moderator: TestAccount;
let curator: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  moderator = await signedInAdmin(server, ['owner', 'moderator']);
  curator = await signedInAdmin(server, ['curator']);
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);

async function replied(text = 'Thank you.') {
  const author = await signedInDoctor(server);
  const employer = await newEmployer(server);
  const { id } = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
  const speaker = await signedInRepresentative(server, employer);
  await call('POST', `/reviews/${id}/reply/`, speaker, { text });
  return { author, id, speaker };
}

const report = (id: string, by: TestAccount, reason = 'abusive', note = '') =>
  call('POST', `/reviews/${id}/reply/report/`, by, { reason, note });
const decide = (id: string, outcome: 'keep' | 'remove', body: object, by = moderator) =>
  call('POST', `/admin/replies/${id}/${outcome}/`, by, body);
const caseAbout = (id: string) =>
  server.deps.db
    .selectFrom('cases')
    .select(['id', 'kind', 'priority'])
    .where('review_id', '=', id)
    .executeTakeFirst();
const actsAbout = async (id: string) =>
  (
    await server.deps.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'details'])
      .where('subject', '=', id)
      .where('action', 'like', 'reply.%')
      .execute()
  ).toSorted((one, other) => (one.action < other.action ? 1 : -1));

test('a report opens a separate case, once per reader, even for the author of the review', async () => {
  const { author, id } = await replied();
  const reader = await signedInDoctor(server, {});
  const answers = [
    await report(id, reader, 'off_topic'),
    await report(id, reader, 'off_topic'),
    await report(id, author, 'private_details', 'It says who I am.'),
  ];
  expect(answers.map(({ body }) => body)).toEqual(Array(3).fill(answers[0]?.body));
  expect(answers[0]?.json()).toEqual({
    message: 'Thank you. A moderator will look at this reply.',
  });
  expect(await caseAbout(id)).toMatchObject({ kind: 'reply', priority: 1 });
  const rows = await server.deps.db
    .selectFrom('reply_reports')
    .selectAll()
    .where('review_id', '=', id)
    .execute();
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(reader.userId);
  expect((await call('GET', `/reviews/${id}/`)).json()).toHaveProperty('reply');
});

test('the moderator sees the reply, its review, and its reports, but no names', async () => {
  const { author, id, speaker } = await replied('Who are you?');
  await report(id, author, 'private_details', 'It asks who I am.');
  const { id: caseId = '' } = (await caseAbout(id)) ?? {};
  const answer = await call('GET', `/admin/cases/${caseId}/`, moderator);
  expect(answer.json<CaseFile>()).toMatchObject({
    case: { kind: 'reply', priority: 1 },
    file: {
      type: 'reply',
      review: { id },
      reply: { text: 'Who are you?', is_removed: false },
      reports: [{ reason: 'private_details', note: 'It asks who I am.' }],
    },
  });
  for (const { userId, email } of [author, speaker]) {
    expect(answer.body).not.toContain(userId);
    expect(answer.body).not.toContain(email);
  }
  expect((await call('GET', `/admin/cases/${caseId}/`, curator)).statusCode).toBe(404);
  const { results } = (await call('GET', '/admin/cases/', curator)).json<{ results: Case[] }>();
  expect(results.filter(({ kind }) => kind === 'reply')).toEqual([]);
});

test('a removal names rule and reason, closes case and reports, and can be undone', async () => {
  const { id } = await replied('Who are you?');
  await report(id, await signedInDoctor(server, {}));
  const case_id = (await caseAbout(id))?.id;
  expect(refusalOf(await decide(id, 'remove', {})).errors).toEqual({
    reason: ['Please give a reason'],
  });
  const removal = { reason: 'Asks who wrote it.', rule: 'asking_who', case_id };
  const removed = await decide(id, 'remove', removal);
  expect(removed.json<ModeratedReply>()).toMatchObject({
    reply: { is_removed: true },
    reports: [],
  });
  expect(await caseAbout(id)).toBeUndefined();
  expect((await call('GET', `/reviews/${id}/`)).json()).not.toHaveProperty('reply');
  expect(refusalOf(await decide(id, 'keep', { case_id })).code).toBe('case_closed');
  expect((await decide(id, 'keep', {})).statusCode).toBe(200);
  expect((await call('GET', `/reviews/${id}/`)).json()).toHaveProperty('reply');
  expect(await actsAbout(id)).toEqual([
    {
      actor: moderator.userId,
      action: 'reply.restore',
      details: { rule: 'general', source: 'moderator' },
    },
    { actor: 'reader', action: 'reply.report', details: { reason: 'abusive' } },
    {
      actor: moderator.userId,
      action: 'reply.remove',
      details: { rule: 'asking_who', source: 'report' },
    },
  ]);
});

test('the reporter, even if it is the author, sees the outcome of the report, and nobody else does', async () => {
  const { author, id } = await replied('Who are you?');
  const [reader, other] = [await signedInDoctor(server, {}), await signedInDoctor(server, {})];
  const answersOf = async (account: TestAccount) =>
    (await call('GET', '/reviews/reports/', account)).json<AnsweredReport[]>();
  await report(id, reader);
  await report(id, author);
  expect(await answersOf(reader)).toEqual([]);
  await decide(id, 'remove', { reason: 'Asks who wrote it.', rule: 'asking_who' });
  for (const account of [reader, author]) {
    expect(await answersOf(account)).toMatchObject([
      { about: 'reply', outcome: 'removed', rule: 'asking_who', review_id: id },
    ]);
  }
  expect(await answersOf(other)).toEqual([]);
});

test('of two simultaneous decisions, one is made', async () => {
  const { id } = await replied();
  await report(id, await signedInDoctor(server, {}));
  const case_id = (await caseAbout(id))?.id;
  const answers = await Promise.all([
    decide(id, 'remove', { reason: 'No.', case_id }),
    decide(id, 'keep', { case_id }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
});

test('a case about the reply and one about the review are decided separately', async () => {
  const { id } = await replied();
  const reader = await signedInDoctor(server, {});
  await report(id, reader);
  await call('POST', `/reviews/${id}/report/`, reader, { reason: 'abusive' });
  await call('POST', `/admin/reviews/${id}/keep/`, moderator, {});
  expect(await caseAbout(id)).toMatchObject({ kind: 'reply' });
});

test('no decision is made about a text that changed after the moderator read it', async () => {
  const { id, speaker } = await replied('Thank you.');
  await report(id, await signedInDoctor(server, {}));
  const { id: case_id = '' } = (await caseAbout(id)) ?? {};
  const versionRead = async () => {
    const { file } = (await call('GET', `/admin/cases/${case_id}/`, moderator)).json<CaseFile>();
    return file.type === 'reply' ? file.reply.version : '';
  };
  const version = await versionRead();
  await call('PATCH', `/reviews/${id}/reply/`, speaker, { text: 'Who are you?' });
  const late = refusalOf(await decide(id, 'keep', { case_id, version }));
  expect([late.status, late.code]).toEqual([409, 'changed_meanwhile']);
  expect(refusalOf(await decide(id, 'remove', { reason: 'No.', version })).code).toBe(
    'changed_meanwhile',
  );
  // The decision has no effect.
  expect((await caseAbout(id))?.id).toBe(case_id);
  expect((await call('GET', `/reviews/${id}/`)).json()).toHaveProperty('reply');
  const removal = { reason: 'Asks who wrote it.', case_id, version: await versionRead() };
  expect((await decide(id, 'remove', removal)).statusCode).toBe(200);
});

test('with a simultaneous decision and edit, the decision applies to the text that was read', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, speaker } = await replied('Thank you.');
    await report(id, await signedInDoctor(server, {}));
    const { id: case_id } = (await caseAbout(id)) ?? {};
    const file = await call('GET', `/admin/cases/${case_id}/`, moderator);
    const { version } = file.json().file.reply;
    const [decided, edited] = await Promise.all([
      decide(id, 'remove', { reason: 'No.', case_id, version }),
      call('PATCH', `/reviews/${id}/reply/`, speaker, { text: 'Who are you?' }),
    ]);
    expect([decided.statusCode, edited.statusCode].toSorted()).toEqual([200, 409]);
  }
});

test('a missing reply, a removed one, and one under a hidden review cannot be reported', async () => {
  const reader = await signedInDoctor(server, {});
  const [none, removed, hidden] = [await replied(), await replied(), await replied()];
  await call('DELETE', `/reviews/${none.id}/reply/`, none.speaker);
  await decide(removed.id, 'remove', { reason: 'No.' });
  await call('POST', `/admin/reviews/${hidden.id}/remove/`, moderator, { reason: 'No.' });
  for (const { id } of [none, removed, hidden]) {
    expect(refusalOf(await report(id, reader)).code).toBe('not_found');
  }
});
