import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { caseAbout, caseIdAbout } from '#server/features/reviews/testing/moderation.ts';
import { at, expect } from '#server/testing/site.ts';
import { newReviewed, publicReply, test as replyTest, textsOf } from './testing/reply-test.ts';

const test = replyTest
  .extend('first', ({ site }) => newReviewed(site))
  .extend('second', ({ site }) => newReviewed(site))
  .extend('third', ({ site }) => newReviewed(site))
  /** The first employer is merged into the second, whose representative replies to both reviews. */
  .extend('merged', async ({ office, first, second }) => {
    await office.merge(first.employer, second.employer);
    await second.speaker.write(first.id, 'Of one house.');
    await second.speaker.write(second.id, 'Of our own.');
  });

test('replies follow a second merge', async ({ site, office, first, second, third, merged: _ }) => {
  await office.merge(second.employer, third.employer);
  expect(await textsOf(site, first.id, second.id)).toEqual(['Of one house.', 'Of our own.']);
  for (const { id } of [first, second]) {
    expect((await third.speaker.write(id)).problem.code).toBe('reply_exists');
    expect((await third.speaker.edit(id, 'Of three.')).status).toBe(200);
    expect((await publicReply(site, id))?.text).toBe('Of three.');
  }
  await office.approve(second.speaker.userId);
  expect((await second.speaker.drop(first.id)).status).toBe(204);
});

test('a reply removed after a second merge is shown to the last employer, and blocks another one', async ({
  office,
  first: { id },
  second,
  third,
  merged: _,
}) => {
  await office.merge(second.employer, third.employer);
  await office.remove(id);
  expect((await third.speaker.write(id)).problem.code).toBe('reply_removed');
  expect((await third.speaker.removed()).map(({ review_id }) => review_id)).toEqual([id]);
});

test.for(['first', 'last'] as const)(
  'undoing a chain of merges, the %s one first, returns to each employer what it wrote',
  async (order, { site, office, first, second, third }) => {
    await first.speaker.write(first.id, 'By the first.');
    await office.merge(first.employer, second.employer);
    const { id: other } = await site.review({ at: first.employer });
    await second.speaker.write(other, 'Of one house.');
    await second.speaker.write(second.id, 'By the second.');
    await office.merge(second.employer, third.employer);
    const shown = () => textsOf(site, first.id, other, second.id);
    expect(await shown()).toEqual(['By the first.', 'Of one house.', 'By the second.']);
    const [one, two] = order === 'first' ? [first, second] : [second, first];
    expect((await office.undo(one.employer)).status).toBe(200);
    // The second wrote it under a review of the first, which is separate only once that merge is
    // undone.
    const between = order === 'first' ? undefined : 'Of one house.';
    expect(await shown()).toEqual(['By the first.', between, 'By the second.']);
    expect((await office.undo(two.employer)).status).toBe(200);
    expect(await shown()).toEqual(['By the first.', undefined, 'By the second.']);
    await office.approve(first.speaker.userId);
    expect((await first.speaker.write(other, 'Ours again.')).status).toBe(201);
    expect(await shown()).toEqual(['By the first.', 'Ours again.', 'By the second.']);
  },
);

test.for(['first', 'last'] as const)(
  'the case about a reply stays readable through a chain of merges, undone with the %s one first',
  async (order, { site, office, reader, first, second, third, merged: _ }) => {
    await reader.report(first.id);
    await office.merge(second.employer, third.employer);
    const otherEmployer = async () => (await office.fileAbout(first.id))?.reply.other_employer;
    expect(await otherEmployer()).toBeNull();
    const steps = order === 'first' ? [first, second] : [second, first];
    for (const { employer } of steps) await office.undo(employer);
    const { employer } = (await site.visitor().get(reviewEndpoints.read, at(second.id))).body;
    expect(await otherEmployer()).toBe(employer.name);
    const case_id = await caseIdAbout(site, 'reply', first.id);
    expect((await office.keep(first.id, { case_id })).status).toBe(200);
    expect(await caseAbout(site, 'reply', first.id)).toBeUndefined();
    // After another merge, the reply belongs to it again.
    await office.merge(first.employer, second.employer);
    expect((await publicReply(site, first.id))?.text).toBe('Of one house.');
  },
);

test('after an undone merge, the employer may replace a reply by the other one that was removed', async ({
  site,
  office,
  reader,
  first: { id, employer, speaker },
  merged: _,
}) => {
  await reader.report(id);
  await office.remove(id);
  const answers = [{ outcome: 'removed', rule: 'asking_who' }];
  expect(await reader.answers()).toMatchObject(answers);
  await office.undo(employer);
  await office.approve(speaker.userId);
  expect(await speaker.removed()).toEqual([]);
  expect((await speaker.write(id, 'Ours.')).status).toBe(201);
  expect((await publicReply(site, id))?.text).toBe('Ours.');
  // It is another reply: the reported one stays removed.
  expect(await reader.answers()).toMatchObject(answers);
});
