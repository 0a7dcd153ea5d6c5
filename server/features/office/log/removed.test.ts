import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { logEndpoints } from '#contract/endpoints/office.ts';
import { replyDecisionEndpoints, replyEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, expect, testWith } from '#server/testing/site.ts';

const { hold, remove, restore, keep } = moderationEndpoints;

const test = testWith()
  .extend('staff', async ({ site }) => site.as(await site.admin()))
  .extend('auditor', async ({ site, staff: _ }) => site.as(await site.admin(['auditor'])))
  .extend('author', ({ site }) => site.doctor())
  .extend('hospital', ({ site }) => site.employer())
  .extend('id', async ({ site, author, hospital }) => {
    const text = { review_text: 'A nurse by the name of Canary.' };
    return (await site.review({ by: author, at: hospital, ...text })).id;
  })
  .extend(
    'read',
    ({ auditor, id }) =>
      () =>
        auditor.get(logEndpoints.removed, at(id)),
  );

const grounds = { reason: 'It names a nurse.', rule: 'private_persons' } as const;

test('an auditor reads what was removed, for as long as it is', async ({
  site,
  staff,
  author,
  id,
  read,
}) => {
  expect((await read()).status).toBe(404);
  await staff.post(keep, null, at(id));
  expect((await read()).status).toBe(404);
  await staff.post(remove, grounds, at(id));
  const { body, text } = await read();
  expect(body).toMatchObject({ is_removed: true, reply: null });
  expect(body.review.review_text).toBe('A nurse by the name of Canary.');
  expect(text).not.toContain(author.userId);
  expect(text).not.toMatch(/_key|author_|reporter/);
  await staff.post(restore, null, at(id));
  expect((await read()).status).toBe(404);
  await staff.post(remove, grounds, at(id));
  expect((await read()).status).toBe(200);
  await site.as(author).delete(reviewEndpoints.delete, at(id));
  expect((await read()).status).toBe(404);
});

test('a replaced text cannot be read', async ({ site, staff, author, hospital, id, read }) => {
  await staff.post(hold, grounds, at(id));
  expect((await read()).body.review.review_text).toContain('Canary');
  const fields = reviewOf(hospital, { review_text: 'A new text about nights.' });
  await site.as(author).patch(reviewEndpoints.edit, fields, at(id));
  expect((await read()).status).toBe(404);
});

test('a reply is read with its review if removed', async ({ site, staff, hospital, id, read }) => {
  const speaker = await site.representative(hospital);
  await site.as(speaker).post(replyEndpoints.create, { text: 'Thank you, Canary.' }, at(id));
  expect((await read()).status).toBe(404);
  await staff.post(replyDecisionEndpoints.remove, { reason: 'It asks who wrote it.' }, at(id));
  expect((await read()).body).toMatchObject({
    is_removed: false,
    reply: { text: 'Thank you, Canary.' },
  });
});

test('a deleted reply is not read once removed', async ({ site, staff, hospital, id, read }) => {
  const speaker = site.as(await site.representative(hospital));
  await speaker.post(replyEndpoints.create, { text: 'Thank you, Canary.' }, at(id));
  const report = { reason: 'other', note: '' } as const;
  await site.as(await site.doctor({})).post(replyEndpoints.report, report, at(id));
  await speaker.delete(replyEndpoints.delete, at(id));
  const removal = { reason: 'It asks who wrote it.' };
  expect((await staff.post(replyDecisionEndpoints.remove, removal, at(id))).status).toBe(200);
  expect((await read()).status).toBe(404);
});

test('verifying auditors and other roles read no removed text', async ({ site, staff, id }) => {
  await staff.post(remove, grounds, at(id));
  for (const roles of [['auditor', 'verifier'], ['moderator'], ['owner']] as const) {
    const member = site.as(await site.admin([...roles]));
    expect((await member.get(logEndpoints.removed, at(id))).status).toBe(403);
  }
});
