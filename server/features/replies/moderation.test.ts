import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { replyDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { DAY_MS } from '#contract/limits.ts';
import { caseAbout, caseIdAbout } from '#server/features/reviews/testing/moderation.ts';
import { logOf } from '#server/testing/factories.ts';
import { signedInAgain } from '#server/testing/matched-doctor.ts';
import { at, expect, invalid, newSite } from '#server/testing/site.ts';
import { newReader, newReviewed, publicReply, test } from './testing/reply-test.ts';

test('a report opens its own case, once per reader', async ({ site, reader, replied }) => {
  const { author, id } = replied;
  const answers = [
    await reader.report(id, 'off_topic'),
    await reader.report(id, 'off_topic'),
    await author.report(id, 'private_details', 'It says who I am.'),
  ];
  const message = 'Thank you. A moderator will look at this reply.';
  expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ message }));
  expect(await caseAbout(site, 'reply', id)).toMatchObject({ priority: 1 });
  expect(await caseAbout(site, 'report', id)).toBeUndefined();
  const rows = await site.rows('reply_reports', { review_id: id });
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(reader.userId);
  expect(await publicReply(site, id)).toBeDefined();
});

test('the moderator sees the reply, its review, and its reports, but no names', async ({
  site,
  office,
  replied: { author, id, speaker },
}) => {
  await author.report(id, 'private_details', 'It asks who I am.');
  const opened = at(await caseIdAbout(site, 'reply', id));
  const moderator = site.as(await site.admin(['moderator']));
  for (const staff of [moderator, office]) {
    const { body, text } = await staff.get(caseEndpoints.read, opened);
    expect(body).toMatchObject({
      case: { kind: 'reply', priority: 1 },
      file: {
        type: 'reply',
        review: { id },
        reply: { text: 'Who are you?', is_removed: false },
        reports: [{ reason: 'private_details', note: 'It asks who I am.' }],
      },
    });
    for (const { userId, email } of [author, speaker]) {
      expect(text).not.toContain(userId);
      expect(text).not.toContain(email);
    }
  }
  const curator = site.as(await site.admin(['curator']));
  expect((await curator.get(caseEndpoints.read, opened)).status).toBe(403);
  const query = { kind: 'reply' };
  expect((await curator.get(caseEndpoints.list, { query })).body.results).toEqual([]);
});

test('lists the reviews whose reply was removed, the last decision first', async () => {
  const site = await newSite();
  const account = await site.admin();
  const reviewed = [await newReviewed(site), await newReviewed(site), await newReviewed(site)];
  const [first = '', second = ''] = reviewed.map(({ id }) => id);
  for (const { id, speaker } of reviewed) await speaker.write(id);
  const removal = { reason: 'Asks who wrote it.' };
  await site.as(account).post(replyDecisionEndpoints.remove, removal, at(first));
  site.pass(DAY_MS);
  const office = site.as(await signedInAgain(site, account));
  const listed = async () => {
    const query = { show: 'replies' } as const;
    const { count, results } = (await office.get(moderationEndpoints.listReports, { query })).body;
    expect(count).toBe(results.length);
    return results.map(({ review }) => review.id);
  };
  await office.post(replyDecisionEndpoints.remove, removal, at(second));
  expect(await listed()).toEqual([second, first]);
  await office.post(replyDecisionEndpoints.keep, {}, at(second));
  expect(await listed()).toEqual([first]);
});

test('a removal gives reasons, ends reports, can be undone', async ({ site, office, reported }) => {
  const { id, case_id } = reported;
  const empty = await office.post(replyDecisionEndpoints.remove, invalid({}), at(id));
  expect(empty.problem.errors).toEqual({ reason: ['Please give a reason'] });
  const removed = await office.remove(id, { case_id });
  expect(removed.body).toMatchObject({ reply: { is_removed: true }, reports: [] });
  expect(await caseAbout(site, 'reply', id)).toBeUndefined();
  expect(await publicReply(site, id)).toBeUndefined();
  expect((await office.keep(id, { case_id })).problem.code).toBe('case_closed');
  expect((await office.keep(id)).status).toBe(200);
  expect(await publicReply(site, id)).toBeDefined();
  const acts = await logOf(site, id, 'actor', 'action', 'details');
  const { userId: actor } = office;
  expect(acts).toEqual([
    { actor, action: 'reply.remove', details: { rule: 'asking_who', source: 'report' } },
    { actor: 'reader', action: 'reply.report', details: { reason: 'abusive' } },
    { actor, action: 'reply.restore', details: { rule: 'general', source: 'moderator' } },
  ]);
});

test('only reporters see the outcome of a report', async ({ site, office, reader, replied }) => {
  const { author, id } = replied;
  await reader.report(id);
  await author.report(id);
  expect(await reader.answers()).toEqual([]);
  await office.remove(id);
  for (const reporter of [reader, author]) {
    const told = { about: 'reply', outcome: 'removed', rule: 'asking_who', review_id: id };
    expect(await reporter.answers()).toMatchObject([told]);
  }
  expect(await (await newReader(site)).answers()).toEqual([]);
});

test('of two concurrent decisions, one is made', async ({ office, reported: { id, case_id } }) => {
  const answers = await Promise.all([office.remove(id, { case_id }), office.keep(id, { case_id })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('reply and review are decided separately', async ({ site, office, reader, reported }) => {
  const { id } = reported;
  await reader.post(feedbackEndpoints.report, { reason: 'abusive' }, at(id));
  await office.post(moderationEndpoints.keep, {}, at(id));
  expect(await caseAbout(site, 'report', id)).toBeUndefined();
  expect(await caseAbout(site, 'reply', id)).toBeDefined();
});

test('nobody decides about a text that changed since', async ({ site, office, reported }) => {
  const { id, case_id, speaker } = reported;
  const versionRead = async () => (await office.fileAbout(id))?.reply.version ?? '';
  const version = await versionRead();
  await speaker.edit(id, 'Who are you, then?');
  const late = await office.keep(id, { case_id, version });
  expect(late.problem).toMatchObject({ status: 409, code: 'changed_meanwhile' });
  expect((await office.remove(id, { version })).problem.code).toBe('changed_meanwhile');
  // The decision has no effect.
  expect(await caseIdAbout(site, 'reply', id)).toBe(case_id);
  expect(await publicReply(site, id)).toBeDefined();
  const removed = await office.remove(id, { case_id, version: await versionRead() });
  expect(removed.status).toBe(200);
});

test('a decision during an edit is about the read text', async ({ site, office, reader }) => {
  for (let round = 0; round < 5; round += 1) {
    const { id, speaker } = await newReviewed(site);
    await speaker.write(id);
    await reader.report(id);
    const case_id = await caseIdAbout(site, 'reply', id);
    const version = (await office.fileAbout(id))?.reply.version ?? '';
    const [decided, edited] = await Promise.all([
      office.remove(id, { case_id, version }),
      speaker.edit(id, 'Who are you?'),
    ]);
    expect([decided.status, edited.status].toSorted()).toEqual([200, 409]);
  }
});

test('only a public reply can be reported', async ({ site, office, reader, reviewed: none }) => {
  const [removed, hidden] = [await newReviewed(site), await newReviewed(site)];
  for (const { id, speaker } of [none, removed, hidden]) await speaker.write(id);
  await none.speaker.drop(none.id);
  await office.remove(removed.id);
  await office.post(moderationEndpoints.remove, { reason: 'No.' }, at(hidden.id));
  for (const { id } of [none, removed, hidden]) {
    expect((await reader.report(id)).problem.code).toBe('not_found');
  }
});
