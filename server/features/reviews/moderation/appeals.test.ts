import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { DAY_MS } from '#contract/limits.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { logOf, reviewOf } from '#server/testing/factories.ts';
import { at, test as base, type Client, expect, invalid, newSite } from '#server/testing/site.ts';
import { caseAbout, caseIdAbout, isPublic, listedReview } from '../testing/moderation.ts';

const { remove, hold, restore, keep, decideAppeal } = moderationEndpoints;
const { appeal, edit, listOwn } = reviewEndpoints;
const removal = { reason: 'It names a colleague.', rule: 'private_persons' } as const;

const test = base
  .extend('admin', async ({ site }) => site.as(await site.admin()))
  .extend('other', async ({ site }) => site.as(await site.admin()))
  .extend('reader', async ({ site }) => site.as(await site.doctor({})))
  .extend('account', ({ site }) => site.doctor())
  .extend('author', ({ site, account }) => site.as(account))
  .extend('review', ({ site, account }) => site.review({ by: account }))
  .extend('removed', async ({ admin, review }) => {
    await admin.post(remove, removal, at(review.id));
    return review;
  })
  .extend('held', async ({ admin, review }) => {
    await admin.post(hold, removal, at(review.id));
    return review;
  });

const day = (time: Date) => time.toISOString().slice(0, 10);
const firstOfMonth = (time: Date) => `${day(time).slice(0, 7)}-01`;
const own = async (author: Client, { id }: Review) =>
  (await author.get(listOwn)).body.find((review) => review.id === id);
const appealed = (author: Client, { id }: Review, text = 'I named nobody.') =>
  author.post(appeal, { text }, at(id));
const edited = (author: Client, { id, employer }: Review, fields = {}) =>
  author.patch(edit, reviewOf(employer.id, fields), at(id));
const answered = (by: Client, { id }: Review, outcome: 'uphold' | 'overturn', more = {}) =>
  by.post(decideAppeal, { outcome, answer: 'You are right.', ...more }, at(id));
const conflict = (code: string) => ({ status: 409, code });

test('authors see decisions except to keep', async ({ site, admin, account, author, removed }) => {
  expect((await own(author, removed))?.decision).toEqual({
    outcome: 'remove',
    rule: 'private_persons',
    note: 'It names a colleague.',
    source: 'moderator',
    decided_on: day(site.time.now),
    may_edit: false,
    awaits_moderator: false,
    appeal_until: day(new Date(site.time.now.getTime() + 20 * DAY_MS)),
    appeal: null,
  });
  const kept = await site.review({ by: account });
  await admin.post(keep, null, at(kept.id));
  expect(await own(author, kept)).not.toHaveProperty('decision');
});

test('an edit of a held review returns it to moderators', async ({ site, admin, author, held }) => {
  expect((await own(author, held))?.decision).toMatchObject({ outcome: 'hold', may_edit: true });
  const change = { review_text: 'Without the name.' };
  expect((await edited(author, held, change)).body).toMatchObject({
    ...change,
    removed_reason: 'A moderator is going to look at this review.',
    decision: { may_edit: false, appeal_until: null, awaits_moderator: true },
  });
  expect(await isPublic(site, held.id)).toBe(false);
  // Sent again after a lost response, and then another edit.
  for (const [fields, identical] of [
    [change, true],
    [{ review_text: 'On second thought.' }, false],
  ] as const) {
    const { problem } = await edited(author, held, fields);
    expect(problem).toMatchObject({ ...conflict('awaits_moderator'), identical });
  }
  expect((await appealed(author, held)).problem).toMatchObject(conflict('not_appealable'));

  const opened = { opened_on: firstOfMonth(site.time.now) };
  expect(await caseAbout(site, 'report', held.id)).toMatchObject(opened);
  const report = { reason: 'resubmitted', note: '', reported_on: opened.opened_on };
  expect(await site.rows('review_reports', { review_id: held.id })).toMatchObject([report]);
  const file = await listedReview(admin, held.id);
  expect(file).toMatchObject({ reports: [], is_resubmitted: true });
  await admin.post(restore, { note: 'Thank you.' }, at(held.id));
  expect(await isPublic(site, held.id)).toBe(true);
  expect((await own(author, held))?.decision).toMatchObject({
    outcome: 'restore',
    note: 'Thank you.',
    source: 'moderator',
  });
});

test('no report can pose as a resubmission', async ({ site, admin, reader, review: { id } }) => {
  const posing = invalid({ reason: 'resubmitted' });
  expect((await reader.post(feedbackEndpoints.report, posing, at(id))).status).toBe(400);
  const note = 'Resubmitted: its author has edited it.';
  await reader.post(feedbackEndpoints.report, { reason: 'other', note }, at(id));
  const reports = [{ reason: 'other', note, reported_on: day(site.time.now) }];
  expect(await listedReview(admin, id)).toMatchObject({ reports, is_resubmitted: false });
  await admin.post(keep, null, at(id));
  const decided = (await logOf(site, id, 'action', 'details')).at(-1);
  expect(decided?.action).toBe('review.keep');
  expect(decided?.details).toMatchObject({ days: 0, source: 'report' });
});

test('the author sees the last effective decision', async ({ admin, author, reader, removed }) => {
  await admin.post(restore, { note: 'Our mistake.' }, at(removed.id));
  const restored = (await own(author, removed))?.decision;
  expect(restored).toMatchObject({ outcome: 'restore', note: 'Our mistake.' });
  // The author does not learn that somebody has reported it since.
  await reader.post(feedbackEndpoints.report, { reason: 'abusive' }, at(removed.id));
  await admin.post(keep, null, at(removed.id));
  expect((await own(author, removed))?.decision).toEqual(restored);
});

test('restoring a public review keeps it, untold', async ({ admin, author, reader, review }) => {
  await reader.post(feedbackEndpoints.report, { reason: 'abusive' }, at(review.id));
  expect((await admin.post(restore, null, at(review.id))).status).toBe(200);
  expect(await own(author, review)).not.toHaveProperty('decision');
});

test("a held review can be edited after its employer's merge", async ({ site, author, held }) => {
  const curator = site.as(await site.admin(['curator']));
  const into = await site.employer({ name: 'Merged Hospital' });
  const { id } = held.employer;
  expect((await curator.post(employerEndpoints.merge, { into }, at(id))).status).toBe(200);
  const merged = { ...held, employer: { ...held.employer, id: into } };
  expect(await own(author, held)).toMatchObject({
    employer: { id: into },
    decision: { may_edit: true },
  });
  const { body } = await edited(author, merged);
  expect(body).toMatchObject({ decision: { awaits_moderator: true } });
});

test('one appeal is answered by another', async ({ site, admin, other, author, removed }) => {
  expect((await appealed(author, removed)).body.decision).toMatchObject({
    appeal_until: null,
    appeal: { text: 'I named nobody.', outcome: null, answer: '', answered_on: null },
  });
  const again = await appealed(author, removed, 'Again.');
  expect(again.problem).toMatchObject(conflict('appeal_exists'));
  const byDecider = await answered(admin, removed, 'overturn');
  expect(byDecider.problem).toMatchObject(conflict('own_decision'));
  const restored = await admin.post(restore, null, at(removed.id));
  expect(restored.problem).toMatchObject(conflict('appeal_open'));
  const decided = await answered(other, removed, 'overturn');
  expect(decided.body).toMatchObject({ review: { removed_reason: null } });
  expect(await isPublic(site, removed.id)).toBe(true);
  expect((await own(author, removed))?.decision?.appeal).toEqual({
    text: 'I named nobody.',
    outcome: 'overturn',
    answer: 'You are right.',
    answered_on: day(site.time.now),
  });
  const late = await answered(other, removed, 'uphold');
  expect(late.problem).toMatchObject(conflict('case_closed'));
  expect((await appealed(author, removed)).problem).toMatchObject(conflict('not_appealable'));
});

test('a rejected appeal leaves a held review editable', async ({ site, other, author, held }) => {
  await appealed(author, held);
  expect((await edited(author, held)).problem).toMatchObject(conflict('appeal_open'));
  expect((await answered(other, held, 'uphold')).status).toBe(200);
  expect(await isPublic(site, held.id)).toBe(false);
  expect((await own(author, held))?.decision).toMatchObject({
    may_edit: true,
    appeal_until: null,
    appeal: { outcome: 'uphold' },
  });
  expect((await edited(author, held)).status).toBe(200);
});

test('only its author can appeal, within 20 days', async ({ site, account, author, removed }) => {
  const stranger = site.as(await site.doctor());
  expect((await appealed(stranger, removed, 'x')).status).toBe(404);
  expect((await appealed(author, removed, ' ')).status).toBe(400);
  expect((await appealed(author, removed, 'x'.repeat(2001))).status).toBe(400);
  const untouched = await site.review({ by: account });
  expect((await appealed(author, untouched)).problem).toMatchObject(conflict('not_appealable'));

  const setDay = (days: number) => {
    const decided_on = day(new Date(site.time.now.getTime() - days * DAY_MS));
    return site.change('review_decisions', { review_id: removed.id }, { decided_on });
  };
  await setDay(21);
  expect((await appealed(author, removed)).problem).toMatchObject(conflict('appeal_too_late'));
  await setDay(20);
  expect((await appealed(author, removed, 'x'.repeat(2000))).status).toBe(200);
});

test('two moderators at once answer an appeal once', async ({ site, other, author, removed }) => {
  const third = site.as(await site.admin());
  await appealed(author, removed);
  const case_id = await caseIdAbout(site, 'appeal', removed.id);
  const answers = await Promise.all([
    answered(other, removed, 'uphold', { case_id }),
    answered(third, removed, 'overturn', { case_id }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('in an office of one, the same person decides the appeal', async () => {
  const site = await newSite();
  const [only, account] = [site.as(await site.admin()), await site.doctor()];
  const review = await site.review({ by: account });
  await only.post(remove, { reason: 'x' }, at(review.id));
  await appealed(site.as(account), review, 'Why?');
  const { body } = await answered(only, review, 'overturn');
  expect(body).toMatchObject({ review: { removed_reason: null } });
});

test('a second moderator answers an appeal against a decision of an office of one', async () => {
  const site = await newSite();
  const [only, account] = [site.as(await site.admin()), await site.doctor()];
  const review = await site.review({ by: account });
  await only.post(remove, { reason: 'x' }, at(review.id));
  await appealed(site.as(account), review, 'Why?');
  const second = site.as(await site.admin(['moderator']));
  const byDecider = await answered(only, review, 'overturn');
  expect(byDecider.problem).toMatchObject(conflict('own_decision'));
  expect((await answered(second, review, 'overturn')).status).toBe(200);
});

test('an appeal goes with its review; nothing shows its day', async ({ site, author, removed }) => {
  const { id } = removed;
  const text = `A secret of the author of ${id}.`;
  await appealed(author, removed, text);
  const opened_on = firstOfMonth(site.time.now);
  expect(await caseAbout(site, 'appeal', id)).toMatchObject({ opened_on });
  await author.delete(reviewEndpoints.delete, at(id));
  expect(await site.rows('review_appeals', { text })).toEqual([]);
  const log = await logOf(site, id, 'actor', 'action', 'details', 'happened_on');
  const details = { rule: 'private_persons' };
  const received = { actor: 'author', action: 'appeal.receive', details, happened_on: opened_on };
  expect(log.filter(({ action }) => action.startsWith('appeal.'))).toEqual([received]);
});
