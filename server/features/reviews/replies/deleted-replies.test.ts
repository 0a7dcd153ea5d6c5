import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnsweredReport } from '#contract/review-feedback.ts';
import { PASSWORD, refusalOf } from '#server/features/accounts/testing/account-flows.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInDoctor, signedInRepresentative } from '#server/testing/factories.ts';
import { replyScene } from './testing/replied-review.ts';

let server: TestApp;
let scene: Awaited<ReturnType<typeof replyScene>>;
beforeAll(async () => {
  server = await buildTestApp();
  scene = await replyScene(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const stored = (id: string) =>
  server.deps.db.selectFrom('review_replies').selectAll().where('review_id', '=', id).execute();

test('a reported reply that is deleted and rewritten keeps its reports and its case', async () => {
  const { id, speaker } = await scene.reviewed();
  const reader = await signedInDoctor(server, {});
  await scene.write(id, speaker, 'Who are you?');
  await scene.report(id, reader);
  const { id: case_id } = (await scene.caseAbout(id)) ?? {};
  expect((await scene.drop(id, speaker)).statusCode).toBe(204);
  expect(await scene.publicText(id)).toBeUndefined();
  expect(await scene.fileAbout(id)).toMatchObject({
    reply: { text: 'Who are you?', is_deleted: true },
    reports: [{ reason: 'abusive' }],
  });
  expect(refusalOf(await scene.report(id, await signedInDoctor(server, {}))).code).toBe(
    'not_found',
  );

  expect((await scene.write(id, speaker, 'Who are you, then?')).statusCode).toBe(201);
  expect(await scene.fileAbout(id)).toMatchObject({
    reply: { text: 'Who are you, then?', is_deleted: false },
    reports: [{ reason: 'abusive' }],
  });
  expect((await scene.decide(id, 'remove', { case_id })).statusCode).toBe(200);
  const answers = await scene.call('GET', '/reviews/reports/', reader);
  expect(answers.json<AnsweredReport[]>()).toMatchObject([{ about: 'reply', outcome: 'removed' }]);
});

test('a deleted reply that is removed blocks the next one, until a moderator decides otherwise', async () => {
  const { id, speaker } = await scene.reviewed();
  await scene.write(id, speaker, 'Who are you?');
  await scene.report(id, await signedInDoctor(server, {}));
  await scene.drop(id, speaker);
  await scene.decide(id, 'remove');
  expect(refusalOf(await scene.write(id, speaker)).code).toBe('reply_removed');
  const removed = await scene.call('GET', '/reviews/replies/removed/', speaker);
  expect(removed.json()).toMatchObject([{ review_id: id, text: 'Who are you?' }]);
  await scene.decide(id, 'keep');
  // The employer deleted it.
  expect(await scene.publicText(id)).toBeUndefined();
  expect((await scene.write(id, speaker)).statusCode).toBe(201);
});

test('deleting a reply does not reveal to a representative whether it was reported', async () => {
  const [plain, reported] = [await scene.reviewed(), await scene.reviewed()];
  for (const { id, speaker } of [plain, reported]) await scene.write(id, speaker);
  await scene.report(reported.id, await signedInDoctor(server, {}));
  const [one, other] = await Promise.all(
    [plain, reported].map(async ({ id, speaker }) => {
      const answers = [
        await scene.drop(id, speaker),
        await scene.drop(id, speaker),
        await scene.edit(id, speaker, 'No.'),
        await scene.write(id, speaker),
      ];
      return answers.map((answer) => {
        const { request_id: _, ...body } = answer.body === '' ? {} : answer.json();
        return [answer.statusCode, body];
      });
    }),
  );
  expect(one).toEqual(other);
});

test('deleting a reply that nobody reported removes it completely', async () => {
  const { id, speaker } = await scene.reviewed();
  await scene.write(id, speaker);
  await scene.drop(id, speaker);
  expect(await stored(id)).toEqual([]);
});

test('refusing its writer does not undo a removal', async () => {
  const { employer, id, speaker } = await scene.reviewed();
  await scene.write(id, speaker, 'Who are you?');
  await scene.decide(id, 'remove');
  await scene.refuse(speaker.userId);
  const successor = await signedInRepresentative(server, employer);
  expect(refusalOf(await scene.write(id, successor, 'Who are you?')).code).toBe('reply_removed');
});

test('an impostor is refused even after leaving', async () => {
  const { employer, id, speaker } = await scene.reviewed();
  const other = await scene.posted(employer);
  const leaver = await signedInRepresentative(server, employer, { password: PASSWORD });
  for (const one of [id, other]) await scene.write(one, leaver, 'From an impostor.');
  await scene.report(id, await signedInDoctor(server, {}));
  await scene.edit(other, speaker, 'From us.');
  const leaving = { password: PASSWORD, reviews: 'delete' };
  await scene.call('POST', '/auth/delete-account/', leaver, leaving);
  expect(await scene.publicText(id)).toBe('From an impostor.');

  const answer = await scene.refuse(leaver.userId);
  expect([answer.statusCode, answer.json()]).toEqual([200, null]);
  expect(await scene.publicText(id)).toBeUndefined();
  expect(await scene.publicText(other)).toBe('From us.');
  expect(await scene.fileAbout(id)).toMatchObject({ reply: { is_deleted: true } });
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject', '=', leaver.userId)
    .execute();
  expect(acts).toEqual([{ action: 'representative.refuse' }]);
  // There is nothing left to refuse, and nobody to approve.
  expect((await scene.refuse(leaver.userId)).statusCode).toBe(404);
  expect((await scene.approve(leaver.userId)).statusCode).toBe(404);
});

test('a refusal while the account is being deleted still deletes the replies', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { employer, id } = await scene.reviewed();
    const leaver = await signedInRepresentative(server, employer, { password: PASSWORD });
    await scene.write(id, leaver, 'From an impostor.');
    const leaving = { password: PASSWORD, reviews: 'delete' };
    const [refused, left] = await Promise.all([
      scene.refuse(leaver.userId),
      scene.call('POST', '/auth/delete-account/', leaver, leaving),
    ]);
    expect([refused.statusCode, left.statusCode]).toEqual([200, 200]);
    expect(await scene.publicText(id)).toBeUndefined();
  }
});

test('the database keeps a reply that was reported or decided about as long as its review', async () => {
  const { db } = server.deps;
  const { id, speaker } = await scene.reviewed();
  await scene.write(id, speaker, 'Who are you?');
  await scene.report(id, await signedInDoctor(server, {}));
  const stays = { constraint: 'review_replies_stay' };
  const drop = () => db.deleteFrom('review_replies').where('review_id', '=', id).execute();
  const change = (fields: object) =>
    db.updateTable('review_replies').set(fields).where('review_id', '=', id).execute();
  await expect(drop()).rejects.toMatchObject(stays);
  await scene.decide(id, 'remove');
  await expect(drop()).rejects.toMatchObject(stays);
  await expect(change({ text: 'Another one.' })).rejects.toMatchObject(stays);
  await expect(change({ removed: false, decided_on: null })).rejects.toMatchObject(stays);
  await db.deleteFrom('reviews').where('id', '=', id).execute();
  expect(await stored(id)).toEqual([]);
});
