import { employerEndpoints } from '#contract/endpoints/employers.ts';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { replyEndpoints, representativeDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, expect, invalid } from '#server/testing/site.ts';
import { newReviewed, newSpeaker, publicReply, storedReplies, test } from './testing/reply-test.ts';

const { remove, restore } = moderationEndpoints;
const reason = 'Not a review';

test('a representative replies once, and without a name', async ({ site, reviewed }) => {
  const { author, employer, id, speaker } = reviewed;
  const written = await speaker.write(id, '  Thank you.  ');
  expect(written.status).toBe(201);
  const reply = { text: 'Thank you.', replied_on: site.time.now.toISOString().slice(0, 10) };
  expect(written.body).toEqual(reply);
  expect(await publicReply(site, id)).toEqual(reply);
  const { body, text } = await site.visitor().get(employerEndpoints.reviews, at(employer));
  expect(body.results[0]?.reply).toEqual(reply);
  expect((await author.get(reviewEndpoints.listOwn)).body[0]?.reply).toEqual(reply);
  expect(text).not.toMatch(/Rita|Speaks|Chief of staff/);
  expect((await speaker.write(id)).problem.code).toBe('reply_exists');
});

test('any representative of the employer can change and delete it', async ({ site, reviewed }) => {
  const { employer, id, speaker } = reviewed;
  await speaker.write(id);
  const colleague = await newSpeaker(site, employer);
  expect((await colleague.edit(id, 'Thanks.')).status).toBe(200);
  expect((await publicReply(site, id))?.text).toBe('Thanks.');
  expect((await colleague.drop(id)).status).toBe(204);
  expect(await publicReply(site, id)).toBeUndefined();
  expect((await colleague.drop(id)).problem.code).toBe('not_found');
  expect((await speaker.edit(id, 'No.')).problem.code).toBe('not_found');
  expect((await speaker.write(id)).status).toBe(201);
});

test('screens the text like a review; limits its length', async ({ reviewed: { id, speaker } }) => {
  const contacts = 'Please write to hr@stluke.example or call 555-867-5309.';
  expect((await speaker.write(id, contacts)).problem).toMatchObject({
    status: 400,
    code: 'identifying_text',
    detail: 'Please remove patient or contact details from your reply.',
    errors: { text: [expect.stringContaining('an email address'), expect.any(String)] },
  });
  const errors = async (text: string) => (await speaker.write(id, text)).problem.errors;
  expect(await errors(' \u200b ')).toEqual({ text: ['Please write a reply'] });
  expect(await errors('x'.repeat(2001))).toEqual({ text: ['Must be at most 2000 characters'] });
  expect((await speaker.write(id, 'x'.repeat(2000))).status).toBe(201);
});

test('a hidden review, a deleted one, and another employer’s look the same', async ({
  site,
  office,
  reviewed: { author, id, speaker },
}) => {
  const other = await site.review();
  await office.post(remove, { reason }, at(id));
  const answers = async (review: string) => {
    const replies = [
      await speaker.write(review),
      await speaker.edit(review, 'Thank you.'),
      await speaker.drop(review),
    ];
    return replies.map(({ problem: { request_id: _, ...problem } }) => problem);
  };
  const hidden = await answers(id);
  expect(hidden.map(({ code }) => code)).toEqual(Array(3).fill('not_found'));
  await author.delete(reviewEndpoints.delete, at(id));
  expect(await answers(id)).toEqual(hidden);
  expect(await answers(other.id)).toEqual(hidden);
  expect(await answers(crypto.randomUUID())).toEqual(hidden);
});

test('only the approved can reply, and write nothing else', async ({ site, office, reviewed }) => {
  const { author, employer, id, speaker } = reviewed;
  const pending = site.as(await site.representative(employer, { state: 'pending' }));
  const refused = site.as(await site.representative(employer, { state: 'refused' }));
  for (const account of [author, pending, refused, office]) {
    const { problem } = await account.post(replyEndpoints.create, { text: 'Thank you.' }, at(id));
    expect(problem.code).toBe('not_representative');
  }
  const abusive = { reason: 'abusive' } as const;
  for (const { problem } of [
    await speaker.post(reviewEndpoints.create, reviewOf(employer)),
    await speaker.patch(reviewEndpoints.edit, invalid({}), at(id)),
    await speaker.get(reviewEndpoints.listOwn),
    await speaker.post(castVoteEndpoints.helpful, at(id)),
    await speaker.delete(takeVoteBackEndpoints.not_helpful, at(id)),
    await speaker.post(feedbackEndpoints.report, abusive, at(id)),
    await speaker.post(replyEndpoints.report, abusive, at(id)),
    await speaker.post(employerEndpoints.add, { name: 'Elsewhere Clinic' }),
  ]) {
    expect(problem.code).toBe('representative_account');
  }
  expect((await speaker.get(caseEndpoints.list)).problem.code).toBe('permission_denied');
  expect((await speaker.get(sessionEndpoints.doctor)).status).toBe(404);
});

test('of two replies at once, one stays', async ({ site, reviewed: { employer, id, speaker } }) => {
  const colleague = await newSpeaker(site, employer);
  const answers = await Promise.all([speaker.write(id, 'One'), colleague.write(id, 'Two')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const stood = answers.find(({ status }) => status === 201)?.body;
  expect(await publicReply(site, id)).toEqual(stood);
});

test('a reply during a removal is stored or rejected', async ({ site, office, reviewed }) => {
  const { id, speaker } = reviewed;
  const [written, removed] = await Promise.all([
    speaker.write(id),
    office.post(remove, { reason }, at(id)),
  ]);
  expect(removed.status).toBe(200);
  expect([201, 404]).toContain(written.status);
  expect((await site.visitor().get(reviewEndpoints.read, at(id))).status).toBe(404);
  expect(await storedReplies(site, id)).toHaveLength(written.status === 201 ? 1 : 0);
});

test('a reply goes with its review, and returns with it', async ({ site, office, reviewed }) => {
  const { author, id, speaker } = reviewed;
  await speaker.write(id, 'Nights are staffed by two now.');
  await office.post(remove, { reason }, at(id));
  expect((await site.visitor().get(reviewEndpoints.read, at(id))).status).toBe(404);
  await office.post(restore, {}, at(id));
  expect((await publicReply(site, id))?.text).toBe('Nights are staffed by two now.');
  await author.delete(reviewEndpoints.delete, at(id));
  expect(await storedReplies(site, id)).toEqual([]);
});

test('follows merges; an undo hides other replies', async ({ site, office, reviewed: from }) => {
  const into = await newReviewed(site);
  await from.speaker.write(from.id, 'Before.');
  expect((await office.merge(from.employer, into.employer)).status).toBe(200);
  expect((await publicReply(site, from.id))?.text).toBe('Before.');
  // Nobody approved for one employer speaks for another unchecked.
  const { problem } = await from.speaker.edit(from.id, 'Mine.');
  expect(problem).toMatchObject({ status: 403, code: 'not_representative' });
  const { userId } = from.speaker;
  const approve = async (reason: string) => {
    const [{ id: case_id } = expect.fail()] = await site.rows('cases', { account_id: userId });
    return office.post(representativeDecisionEndpoints.approve, { reason, case_id }, at(userId));
  };
  expect((await approve('Works at both.')).status).toBe(200);
  for (const { speaker } of [from, into]) {
    expect((await speaker.edit(from.id, 'Of one house now.')).status).toBe(200);
  }
  await into.speaker.drop(from.id);
  await into.speaker.write(from.id, 'Not of this house.');
  expect((await office.undo(from.employer)).status).toBe(200);
  expect(await publicReply(site, from.id)).toBeUndefined();
  expect((await from.speaker.write(from.id)).problem.code).toBe('not_representative');
  expect((await approve('Works at the first one.')).status).toBe(200);
  expect((await from.speaker.write(from.id, 'Ours again.')).status).toBe(201);
});

test('a reply outlasts its writer, unless an impostor', async ({ site, office, reviewed }) => {
  const { employer, id, speaker } = reviewed;
  const leaver = await newSpeaker(site, employer);
  await leaver.write(id, 'I leave, it stays.');
  expect((await leaver.leave()).status).toBe(200);
  expect((await publicReply(site, id))?.text).toBe('I leave, it stays.');
  await speaker.edit(id, 'From an impostor.');
  await office.refuse(speaker.userId);
  expect(await publicReply(site, id)).toBeUndefined();
  expect((await speaker.write(id)).problem.code).toBe('not_representative');
});

test('removed replies are listed while their review is public', async ({
  site,
  office,
  reviewed: { id, speaker },
}) => {
  await speaker.write(id, 'Who are you?');
  await office.remove(id);
  expect(await speaker.removed()).toEqual([
    {
      review_id: id,
      text: 'Who are you?',
      rule: 'asking_who',
      reason: 'Asks who wrote it.',
      decided_on: site.time.now.toISOString().slice(0, 10),
    },
  ]);
  expect(await publicReply(site, id)).toBeUndefined();
  for (const { problem } of [
    await speaker.write(id, 'Again.'),
    await speaker.edit(id, 'Again.'),
    await speaker.drop(id),
  ]) {
    expect(problem.code).toBe('reply_removed');
  }
  await office.post(remove, { reason }, at(id));
  expect(await speaker.removed()).toEqual([]);
});
