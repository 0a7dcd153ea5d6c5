import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { ERRORS } from '#contract/errors.ts';
import { emptyOffice } from '#server/features/office/testing/empty-office.ts';
import { logOf } from '#server/testing/factories.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

const { decideAppeal } = moderationEndpoints;

const test = testWith()
  .extend('run', async ({ site }) => {
    await emptyOffice(site);
    return (...args: string[]) => curbside(site, ['reviews', ...args]);
  })
  .extend('author', ({ site }) => site.doctor())
  .extend('id', async ({ site, author }) => (await site.review({ by: author })).id)
  .extend('appeal', ({ site, author, id }) => async () => {
    const text = 'It is about the work.';
    await site.as(author).post(reviewEndpoints.appeal, { text }, at(id));
  });

const actorsOf = async (site: Site, subject: string) =>
  (await logOf(site, subject, 'actor', 'action'))
    .filter(({ action }) => action !== 'appeal.receive')
    .map(({ actor, action }) => [action, actor]);

test('a command names its decider; another answers appeals', async ({ site, run, id, appeal }) => {
  const [first, second] = [await site.admin(), await site.admin(['moderator'])];
  const curator = await site.admin(['curator']);
  const removal = ['remove', id, '--reason', 'Off topic.'];
  const several = 'there are several moderators. Say who decides: --as EMAIL';
  await expectRefusal(run(...removal), several);
  const nobody = `no moderator has the email address ${curator.email}`;
  await expectRefusal(run(...removal, '--as', curator.email), nobody);
  expect(await run(...removal, '--as', first.email)).toMatchObject({ code: 0 });
  await appeal();
  const answer = { outcome: 'uphold', answer: 'No.' } as const;
  const { problem } = await site.as(first).post(decideAppeal, answer, at(id));
  expect(problem).toMatchObject({ code: 'own_decision' });
  const overturned = ['overturn', id, '--answer', 'You are right.', '--as'];
  await expectRefusal(run(...overturned, first.email), ERRORS.own_decision.text);
  expect(await run(...overturned, second.email)).toMatchObject({ code: 0 });
  expect(await actorsOf(site, id)).toEqual([
    ['appeal.overturn', second.userId],
    ['review.remove', first.userId],
  ]);
});

test('commands of a sole moderator leave appeals to others', async ({ site, run, id, appeal }) => {
  const only = await site.admin();
  expect((await run('remove', id, '--reason', 'Off topic.')).code).toBe(0);
  expect(await actorsOf(site, id)).toEqual([['review.remove', only.userId]]);
  await appeal();
  const later = await site.admin(['moderator']);
  const answer = { outcome: 'overturn', answer: 'You are right.' } as const;
  const decide = (by: typeof only) => site.as(by).post(decideAppeal, answer, at(id));
  expect((await decide(only)).problem.code).toBe('own_decision');
  expect((await decide(later)).status).toBe(200);
});
