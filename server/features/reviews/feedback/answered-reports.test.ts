import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { replyDecisionEndpoints, replyEndpoints } from '#contract/endpoints/replies.ts';
import { DAY_MS } from '#contract/limits.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, type Client, expect, type Site, test as siteTest } from '#server/testing/site.ts';

const { remove, hold, keep, decideAppeal } = moderationEndpoints;
const { report } = feedbackEndpoints;
const abusive = { reason: 'abusive' } as const;
const secret = { reason: 'A secret', rule: 'patients' } as const;

const test = siteTest
  .extend('admin', async ({ site }) => site.as(await site.admin()))
  .extend('other', async ({ site }) => site.as(await site.admin()))
  .extend('author', ({ site }) => site.doctor())
  .extend('reporter', async ({ site }) => site.as(await site.doctor({})))
  .extend('id', async ({ site, author, reporter }) => {
    const employer = await site.employer({ name: 'Reported Hospital' });
    const { id } = await site.review({ by: author, at: employer });
    await reporter.post(report, abusive, at(id));
    return id;
  });

const answersOf = async (reader: Client) =>
  (await reader.get(feedbackEndpoints.answeredReports)).body;

/** Dates the only decision about the review. */
const setDay = (site: Site, id: string, decided_on: string) =>
  site.change('review_decisions', { review_id: id }, { decided_on });

/** The author appeals against the only decision about the review. */
async function appeal(site: Site, review_id: string) {
  const [{ id: decision_id } = expect.fail()] = await site.rows('review_decisions', { review_id });
  const text = 'It names nobody.';
  await site.deps.db.insertInto('review_appeals').values({ decision_id, text }).execute();
}

test('only reporters see the outcome', async ({ site, admin, author, reporter, id: kept }) => {
  const removed = (await site.review({ by: author })).id;
  const open = (await site.review({ by: author })).id;
  for (const id of [removed, open]) await reporter.post(report, abusive, at(id));
  expect(await answersOf(reporter)).toEqual([]);
  await admin.post(keep, { rule: 'abuse' }, at(kept));
  const { review } = (await admin.post(remove, secret, at(removed))).body;
  const decided_on = site.time.now.toISOString().slice(0, 10);
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
    employer: review.employer.name,
    position_title: null,
    review_id: null,
  });
  expect(JSON.stringify(answers)).not.toContain(open);
  expect(await answersOf(site.as(await site.doctor({})))).toEqual([]);
  expect(await answersOf(site.as(author))).toEqual([]);
});

test('answers are shown for 90 days', async ({ site, admin, reporter, id }) => {
  await admin.post(keep, null, at(id));
  const closedFor = (days: number) => {
    const closed_on = new Date(site.time.now.getTime() - days * DAY_MS).toISOString();
    return site.change('review_reports', { review_id: id }, { closed_on });
  };
  await closedFor(90);
  expect(await answersOf(reporter)).toHaveLength(1);
  await closedFor(91);
  expect(await answersOf(reporter)).toEqual([]);
});

test('reporters see later changes to the review', async ({ site, admin, other, reporter, id }) => {
  const expectAnswer = async (outcome: string, rule: string, day: string, review_id = '') =>
    expect(await answersOf(reporter)).toMatchObject([
      { outcome, rule, decided_on: day, review_id: review_id || null },
    ]);
  const today = site.time.now.toISOString().slice(0, 10);
  await admin.post(remove, secret, at(id));
  await setDay(site, id, '2026-01-31');
  await expectAnswer('removed', 'patients', '2026-01-31');

  await appeal(site, id);
  await other.post(decideAppeal, { outcome: 'overturn', answer: 'You are right.' }, at(id));
  await expectAnswer('restored', 'patients', today, id);

  // Other people's reports are not shown to this reporter.
  await site.as(await site.doctor({})).post(report, abusive, at(id));
  await admin.post(keep, { rule: 'abuse' }, at(id));
  await expectAnswer('restored', 'patients', today, id);

  await admin.post(hold, { reason: 'Leave it out.', rule: 'private_persons' }, at(id));
  await expectAnswer('removed', 'private_persons', today);
});

test('a rejected appeal is hidden from reporters', async ({ site, admin, other, reporter, id }) => {
  await admin.post(remove, secret, at(id));
  await setDay(site, id, '2026-01-31');
  const before = await answersOf(reporter);
  await appeal(site, id);
  const upheld = await other.post(decideAppeal, { outcome: 'uphold', answer: 'It does.' }, at(id));
  expect(upheld.status).toBe(200);
  expect(await answersOf(reporter)).toEqual(before);
});

test('reporters of a reply see that it is public again', async ({ site, admin, reporter }) => {
  const { id, employer } = await site.review();
  const speaker = site.as(await site.representative(employer.id));
  await speaker.post(replyEndpoints.create, { text: 'Hi' }, at(id));
  await reporter.post(replyEndpoints.report, abusive, at(id));
  await admin.post(replyDecisionEndpoints.remove, { reason: 'Rude', rule: 'abuse' }, at(id));
  expect(await answersOf(reporter)).toMatchObject([{ outcome: 'removed', rule: 'abuse' }]);
  await admin.post(replyDecisionEndpoints.keep, { rule: 'general' }, at(id));
  expect(await answersOf(reporter)).toMatchObject([{ outcome: 'restored', rule: 'general' }]);
});
