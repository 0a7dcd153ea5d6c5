import { expect } from 'vitest';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { openCase } from '#server/cases/cases.ts';
import { caseIdAbout, report } from '#server/features/reviews/testing/moderation.ts';
import { logOf, reviewOf } from '#server/testing/factories.ts';
import {
  at,
  test as base,
  type Client,
  invalid,
  newSite,
  type Site,
} from '#server/testing/site.ts';
import { drawSecondLook } from './second-look.ts';

const { secondLook } = moderationEndpoints;

const test = base
  .extend('admin', async ({ site }) => site.as(await site.admin()))
  .extend('other', async ({ site }) => site.as(await site.admin()))
  .extend('author', ({ site }) => site.doctor())
  .extend('review', ({ site, author }) => site.review({ by: author }))
  .extend('report', async ({ site, review }) => {
    const sent = { reason: 'abusive', note: 'Second paragraph.' } as const;
    await report(site, review.id, sent.reason, sent.note);
    return sent;
  });

type Act = 'remove' | 'hold' | 'keep';
const decide = (by: Client, id: string, act: Act) =>
  act === 'keep'
    ? by.post(moderationEndpoints.keep, null, at(id))
    : by.post(moderationEndpoints[act], { reason: 'x' }, at(id));

const caseOf = (site: Site, id: string) => caseIdAbout(site, 'second_look', id);

/** The moderator's decision is drawn. Returns the case. */
async function drawn(site: Site, by: Client, review_id: string, act: Act): Promise<string> {
  const { db, clock } = site.deps;
  await decide(by, review_id, act);
  await openCase(db, clock, { kind: 'second_look', subject: { review_id }, priority: 3 });
  return caseOf(site, review_id);
}

const looks = async (site: Site, id: string) =>
  (await logOf(site, id, 'action'))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('second-look.'));

test('with a single moderator, nobody else could look, so none is drawn', async () => {
  const alone = await newSite();
  const { userId: decidedBy } = await alone.admin();
  const { id } = await alone.review();
  await drawSecondLook(alone.deps.db, alone.deps.clock, id, { decidedBy, isCertain: true });
  expect(await caseOf(alone, id)).toBe('');
});

test('few decisions are drawn for another moderator', async ({ site, admin, other: _, review }) => {
  let [decisions, draws] = [0, 0];
  // 5% are drawn: none of 450, and half of 30, have a chance below one in a billion.
  while (decisions < 30 || (draws === 0 && decisions < 450)) {
    await decide(admin, review.id, 'keep');
    decisions += 1;
    const id = await caseOf(site, review.id);
    if (!id) continue;
    draws += 1;
    // The next decision would be drawn for certain.
    await site.deps.db.deleteFrom('cases').where('id', '=', id).execute();
  }
  expect(draws).toBeGreaterThan(0);
  expect(draws).toBeLessThan(decisions / 2);
});

test('the case shows reports, but no decision', async ({ site, admin, other, review, report }) => {
  // Its reports were closed by the first decision.
  await decide(admin, review.id, 'keep');
  const id = await drawn(site, admin, review.id, 'remove');
  const { file } = (await other.get(caseEndpoints.read, at(id))).body;
  expect(file).toMatchObject({
    type: 'review',
    review: { id: review.id, removed_reason: null },
    reports: [report],
  });
  expect(file).not.toHaveProperty('appeal');
});

test.for([
  ['remove', 'hide', true],
  ['remove', 'show', false],
  ['hold', 'hide', true],
  ['keep', 'show', true],
  ['keep', 'hide', false],
] as const)(
  'after %s, "%s" agrees: %s; the log says so, and nothing else changes',
  async ([act, verdict, agrees], { site, admin, other, review: { id } }) => {
    const case_id = await drawn(site, admin, id, act);
    const look = () => other.post(secondLook, { verdict, case_id }, at(id));
    const note = act === 'keep' ? '' : 'x';
    expect((await look()).body).toEqual({ agrees, outcome: act, rule: 'general', note });
    expect(await looks(site, id)).toEqual([`second-look.${agrees ? 'agree' : 'differ'}`]);
    const { status } = await site.visitor().get(reviewEndpoints.read, at(id));
    expect(status).toBe(act === 'keep' ? 200 : 404);
    expect((await look()).problem.code).toBe('case_closed');
  },
);

test('only once, by another, for its own case', async ({ site, admin, other, review }) => {
  const { id } = review;
  const case_id = await drawn(site, admin, id, 'remove');
  const hide = { verdict: 'hide', case_id } as const;
  const elsewhere = crypto.randomUUID();
  expect((await admin.post(secondLook, hide, at(id))).problem.code).toBe('own_decision');
  const another = await other.post(secondLook, { ...hide, case_id: elsewhere }, at(id));
  expect(another.problem.code).toBe('case_closed');
  expect((await other.post(secondLook, invalid({ verdict: 'hide' }), at(id))).status).toBe(400);
  expect((await other.post(secondLook, hide, at(elsewhere))).status).toBe(404);
  const third = site.as(await site.admin());
  const answers = await Promise.all([
    other.post(secondLook, hide, at(id)),
    third.post(secondLook, { verdict: 'show', case_id }, at(id)),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await looks(site, id)).toHaveLength(1);
});

test('an edit of the review closes the case', async ({ site, admin, author, review }) => {
  expect(await drawn(site, admin, review.id, 'keep')).not.toBe('');
  const change = reviewOf(review.employer.id);
  const edited = await site.as(author).patch(reviewEndpoints.edit, change, at(review.id));
  expect(edited.status).toBe(200);
  expect(await caseOf(site, review.id)).toBe('');
});
