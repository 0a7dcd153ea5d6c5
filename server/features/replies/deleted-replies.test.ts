import { expect } from 'vitest';
import { logOf } from '#server/testing/factories.ts';
import {
  newReader,
  newReviewed,
  newSpeaker,
  publicReply,
  storedReplies,
  test,
} from './testing/reply-test.ts';

test('a rewritten reply keeps reports and case', async ({ site, office, reader, reported }) => {
  const { id, case_id, speaker } = reported;
  expect((await speaker.drop(id)).status).toBe(204);
  expect(await publicReply(site, id)).toBeUndefined();
  expect(await office.fileAbout(id)).toMatchObject({
    reply: { text: 'Who are you?', is_deleted: true },
    reports: [{ reason: 'abusive' }],
  });
  expect((await (await newReader(site)).report(id)).problem.code).toBe('not_found');

  expect((await speaker.write(id, 'Who are you, then?')).status).toBe(201);
  expect(await office.fileAbout(id)).toMatchObject({
    reply: { text: 'Who are you, then?', is_deleted: false },
    reports: [{ reason: 'abusive' }],
  });
  expect((await office.remove(id, { case_id })).status).toBe(200);
  expect(await reader.answers()).toMatchObject([{ about: 'reply', outcome: 'removed' }]);
});

test('a deleted reply that is removed blocks the next one', async ({ site, office, reported }) => {
  const { id, speaker } = reported;
  await speaker.drop(id);
  await office.remove(id);
  expect((await speaker.write(id)).problem.code).toBe('reply_removed');
  expect(await speaker.removed()).toMatchObject([{ review_id: id, text: 'Who are you?' }]);
  await office.keep(id);
  // The employer deleted it.
  expect(await publicReply(site, id)).toBeUndefined();
  expect((await speaker.write(id)).status).toBe(201);
});

test('deleting a reply does not reveal to a representative whether it was reported', async ({
  site,
  reader,
  reviewed: plain,
}) => {
  const reported = await newReviewed(site);
  for (const { id, speaker } of [plain, reported]) await speaker.write(id);
  await reader.report(reported.id);
  const [one, other] = await Promise.all(
    [plain, reported].map(async ({ id, speaker }) => {
      const answers = [
        await speaker.drop(id),
        await speaker.drop(id),
        await speaker.edit(id, 'No.'),
        await speaker.write(id),
      ];
      return answers.map(({ status, text }) => {
        const { request_id: _, ...body } = text === '' ? {} : JSON.parse(text);
        return [status, body];
      });
    }),
  );
  expect(one).toEqual(other);
});

test('deleting a reply without reports removes it', async ({ site, reviewed: { id, speaker } }) => {
  await speaker.write(id);
  await speaker.drop(id);
  expect(await storedReplies(site, id)).toEqual([]);
});

test('refusing its writer does not undo a removal', async ({ site, office, reviewed }) => {
  const { employer, id, speaker } = reviewed;
  await speaker.write(id, 'Who are you?');
  await office.remove(id);
  await office.refuse(speaker.userId);
  const successor = await newSpeaker(site, employer);
  expect((await successor.write(id, 'Who are you?')).problem.code).toBe('reply_removed');
});

test('an impostor is refused even after leaving', async ({ site, office, reader, reviewed }) => {
  const { employer, id, speaker } = reviewed;
  const { id: other } = await site.review({ at: employer });
  const leaver = await newSpeaker(site, employer);
  for (const one of [id, other]) await leaver.write(one, 'From an impostor.');
  await reader.report(id);
  await speaker.edit(other, 'From us.');
  await leaver.leave();
  expect((await publicReply(site, id))?.text).toBe('From an impostor.');

  expect((await office.refuse(leaver.userId)).body).toBeNull();
  expect(await publicReply(site, id)).toBeUndefined();
  expect((await publicReply(site, other))?.text).toBe('From us.');
  expect(await office.fileAbout(id)).toMatchObject({ reply: { is_deleted: true } });
  const acts = await logOf(site, leaver.userId, 'action');
  expect(acts).toEqual([{ action: 'representative.refuse' }]);
  // There is nothing left to refuse, and nobody to approve.
  expect((await office.refuse(leaver.userId)).status).toBe(404);
  expect((await office.approve(leaver.userId)).status).toBe(404);
});

test("a refusal during an account's deletion deletes the replies", async ({ site, office }) => {
  for (let round = 0; round < 4; round += 1) {
    const { id, speaker: leaver } = await newReviewed(site);
    await leaver.write(id, 'From an impostor.');
    const [refused, left] = await Promise.all([office.refuse(leaver.userId), leaver.leave()]);
    expect([refused.status, left.status]).toEqual([200, 200]);
    expect(await publicReply(site, id)).toBeUndefined();
  }
});

test('the database keeps a reply as long as its review', async ({ site, office, reported }) => {
  const { id } = reported;
  const { db } = site.deps;
  const stays = { constraint: 'review_replies_stay' };
  const drop = () => db.deleteFrom('review_replies').where('review_id', '=', id).execute();
  const change = (fields: object) =>
    db.updateTable('review_replies').set(fields).where('review_id', '=', id).execute();
  await expect(drop()).rejects.toMatchObject(stays);
  await office.remove(id);
  await expect(drop()).rejects.toMatchObject(stays);
  await expect(change({ text: 'Another one.' })).rejects.toMatchObject(stays);
  await expect(change({ removed: false, decided_on: null })).rejects.toMatchObject(stays);
  await db.deleteFrom('reviews').where('id', '=', id).execute();
  expect(await storedReplies(site, id)).toEqual([]);
});
