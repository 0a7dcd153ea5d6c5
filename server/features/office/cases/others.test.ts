import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReportRequest } from '#contract/reviews/review-feedback.ts';
import { openCase } from '#server/cases/cases.ts';
import { drawSecondLook } from '#server/features/reviews/moderation/second-look.ts';
import { caseIdAbout, report } from '#server/features/reviews/testing/moderation.ts';
import { newDoctor } from '#server/testing/factories.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';

const { keep, remove, hold } = moderationEndpoints;

const test = testWith()
  .extend('member', ({ site }) => site.admin())
  .extend('staff', ({ site, member }) => site.as(member))
  .extend('other', async ({ site, staff: _ }) => site.as(await site.admin(['moderator'])))
  .extend('hospital', ({ site }) => site.employer());

const fileOf = async (by: ReturnType<Site['as']>, id: string) =>
  (await by.get(caseEndpoints.read, at(id))).body;
const reported = async (site: Site, employer: number, reason?: ReportRequest['reason']) => {
  const { id } = await site.review({ at: employer });
  await report(site, id, reason);
  return { id, case_id: await caseIdAbout(site, 'report', id) };
};

test('a report shows others of its employer, and decisions', async ({ site, staff, hospital }) => {
  const first = await reported(site, hospital, 'off_topic');
  const urgent = await reported(site, hospital, 'private_details');
  const last = await reported(site, hospital, 'off_topic');
  await reported(site, await site.employer());
  const decided = await reported(site, hospital);
  await staff.post(remove, { reason: 'Names a nurse.', rule: 'private_persons' }, at(decided.id));
  const elsewhere = await reported(site, await site.employer());
  await staff.post(keep, null, at(elsewhere.id));

  const file = await fileOf(staff, first.case_id);
  expect(file.others[0]).toMatchObject({ id: urgent.case_id, kind: 'report', priority: 1 });
  expect(file.others.map(({ id }) => id)).toEqual([urgent.case_id, last.case_id]);
  const decided_on = site.time.now.toISOString().slice(0, 10);
  expect(file.similar).toEqual([
    {
      review: decided.id,
      position_title: expect.any(String),
      outcome: 'remove',
      rule: 'private_persons',
      decided_on,
      by: 'Root Example',
    },
  ]);
});

test('an appeal shows up to ten decisions of a rule', async ({ site, staff, other, hospital }) => {
  const author = await site.doctor();
  const { id } = await site.review({ at: hospital, by: author });
  await staff.post(hold, { reason: 'A name.', rule: 'private_persons' }, at(id));
  // The rule of the last decision counts.
  await staff.post(remove, { reason: 'Not about work.', rule: 'not_first_hand' }, at(id));
  for (let number = 0; number < 12; number += 1) {
    const rule = number < 11 ? 'not_first_hand' : 'private_persons';
    const review = await site.review({ at: hospital });
    // By the reader, who could not take a second look at them: some of these are drawn for one.
    await other.post(remove, { reason: 'Hearsay.', rule }, at(review.id));
  }
  await site.as(author).post(reviewEndpoints.appeal, { text: 'It is mine.' }, at(id));
  const { similar, others } = await fileOf(other, await caseIdAbout(site, 'appeal', id));
  expect(similar.map(({ rule }) => rule)).toEqual(Array(10).fill('not_first_hand'));
  expect(others).toEqual([]);
});

test('neither a case that the reader may not see nor an author brings cases together', async ({
  site,
  staff,
  hospital,
}) => {
  const author = await site.doctor();
  const here = await site.review({ at: hospital, by: author });
  const there = await site.review({ by: author });
  for (const { id } of [here, there]) await report(site, id);
  const file = await fileOf(staff, await caseIdAbout(site, 'report', here.id));
  expect([file.others, file.similar]).toEqual([[], []]);
  // Not even of the same review: a case of another kind is in the review's file.
  const subject = { review_id: here.id };
  const { db, clock } = site.deps;
  await openCase(db, clock, { kind: 'appeal', subject, priority: 2 });
  expect((await fileOf(staff, await caseIdAbout(site, 'report', here.id))).others).toEqual([]);
  const doctors = await Promise.all([newDoctor(site), newDoctor(site)]);
  for (const { id: account_id } of doctors)
    await openCase(db, clock, { kind: 'doctor', subject: { account_id }, priority: 2 });
  const { results } = (await staff.get(caseEndpoints.list, { query: { kind: 'doctor' } })).body;
  for (const { id } of results) {
    const { others, similar } = await fileOf(staff, id);
    expect([others, similar]).toEqual([[], []]);
  }
});

test('a drawn second look shows no others and changes those of no other case', async ({
  site,
  member,
  staff,
  other,
  hospital,
}) => {
  const [drawn, open] = [await reported(site, hospital), await reported(site, hospital)];
  await staff.post(keep, null, at(drawn.id));
  const { db, clock } = site.deps;
  await db.deleteFrom('cases').where('review_id', '=', drawn.id).execute();
  const parts = async () => {
    const { others, similar } = await fileOf(staff, open.case_id);
    return { others, similar };
  };
  const before = await parts();
  await drawSecondLook(db, clock, drawn.id, { decidedBy: member.userId, isCertain: true });
  expect(await parts()).toEqual(before);
  expect(before.similar).toMatchObject([{ review: drawn.id }]);
  const look = await fileOf(other, await caseIdAbout(site, 'second_look', drawn.id));
  expect([look.others, look.similar]).toEqual([[], []]);
  // Whoever looks at it again does not read the first decision elsewhere.
  expect((await fileOf(other, open.case_id)).similar).toEqual([]);
});

test('shows no overturned decision, nor one about the employer', async ({ site, staff, other }) => {
  const author = await site.doctor();
  const { add, reject, unreject } = employerEndpoints;
  const { id: employer } = (await site.as(author).post(add, { name: 'Hearsay Clinic' })).body;
  const { id } = await site.review({ at: employer, by: author });
  await staff.post(remove, { reason: 'Hearsay.', rule: 'not_first_hand' }, at(id));
  await site.as(author).post(reviewEndpoints.appeal, { text: 'It is mine.' }, at(id));
  const similar = async () => {
    const { case_id } = await reported(site, employer);
    return (await fileOf(staff, case_id)).similar;
  };
  expect(await similar()).toMatchObject([{ review: id }]);
  const granted = { outcome: 'overturn', answer: 'You are right.' } as const;
  await other.post(moderationEndpoints.decideAppeal, granted, at(id));
  expect(await similar()).toEqual([]);
  expect((await staff.post(reject, { rejection: 'unknown' }, at(employer))).status).toBe(200);
  expect((await staff.post(unreject, { reason: 'A mistake.' }, at(employer))).status).toBe(200);
  expect(await similar()).toEqual([]);
});

test('representatives of one employer are shown together', async ({ site, staff, hospital }) => {
  const { db, clock } = site.deps;
  const merged = await site.employer();
  for (const employer of [hospital, merged, await site.employer()]) {
    const { userId } = await site.representative(employer, { state: 'pending' });
    const subject = { account_id: userId };
    await openCase(db, clock, { kind: 'representative', subject, priority: 2 });
  }
  await site.change('employers', { id: merged }, { merged_into: hospital });
  const query = { kind: 'representative' } as const;
  const { results } = (await staff.get(caseEndpoints.list, { query })).body;
  const files = await Promise.all(results.map(({ id }) => fileOf(staff, id)));
  expect(files.map(({ others }) => others.length).toSorted()).toEqual([0, 1, 1]);
});
