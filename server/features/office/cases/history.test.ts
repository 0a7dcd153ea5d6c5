import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { openCase } from '#server/cases/cases.ts';
import {
  caseAbout,
  caseIdAbout,
  listedReview,
  report,
} from '#server/features/reviews/testing/moderation.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { at, type Client, expect, invalid, type Site, testWith } from '#server/testing/site.ts';

const { list, read, history } = caseEndpoints;
const { hold, remove, keep } = moderationEndpoints;

const test = testWith()
  .extend('staff', async ({ site }) => site.as(await site.admin()))
  .extend('other', async ({ site, staff: _ }) => site.as(await site.admin()))
  .extend('verifier', async ({ site, staff: _ }) => site.as(await site.admin(['verifier'])))
  .extend('author', ({ site, staff: _ }) => site.doctor())
  .extend('id', async ({ site, author }) => (await site.review({ by: author })).id);

const fileAbout = async (site: Site, staff: Client, kind: 'report' | 'appeal', id: string) =>
  (await staff.get(read, at(await caseIdAbout(site, kind, id)))).body;

test('a new case shows what was decided before', async ({ site, staff, other, author, id }) => {
  await report(site, id, 'abusive', 'Names a nurse.');
  const first = await fileAbout(site, staff, 'report', id);
  expect([first.decisions, first.acts]).toEqual([[], []]);
  await staff.post(hold, { reason: 'Leave out the name.', rule: 'private_persons' }, at(id));
  const fields = reviewOf(0, { review_text: 'A new text about nights.' });
  await site.as(author).patch(reviewEndpoints.edit, fields, at(id));
  const held = {
    outcome: 'hold',
    rule: 'private_persons',
    note: 'Leave out the name.',
    by: 'Root Example',
    reports: [{ reason: 'abusive', note: 'Names a nurse.' }],
    was_resubmitted: false,
    appeal: null,
  };
  const again = await fileAbout(site, other, 'report', id);
  expect(again.decisions).toMatchObject([held]);
  expect(again.acts).toMatchObject([{ act: 'review.hold', by: 'Root Example' }]);
  // A replaced text is kept nowhere.
  expect(JSON.stringify(again)).not.toContain(reviewOf(0).review_text);

  await staff.post(remove, { reason: 'Still there.', rule: 'private_persons' }, at(id));
  await site.as(author).post(reviewEndpoints.appeal, { text: 'It is not a name.' }, at(id));
  const appealed = await fileAbout(site, other, 'appeal', id);
  expect(appealed.case.is_own_decision).toBe(false);
  expect((await fileAbout(site, staff, 'appeal', id)).case.is_own_decision).toBe(true);
  expect(appealed.decisions).toMatchObject([
    held,
    {
      outcome: 'remove',
      was_resubmitted: true,
      reports: [],
      appeal: { text: 'It is not a name.' },
    },
  ]);
  const found = await other.get(moderationEndpoints.read, at(id));
  expect(found.body.decisions).toEqual(appealed.decisions);
  expect(found.body.cases).toMatchObject([{ kind: 'appeal' }]);
  for (const { text } of [await other.get(read, at(appealed.case.id)), found]) {
    expect(text).not.toContain(author.userId);
    expect(text).not.toMatch(/_key|author_|reporter|voter/);
  }
});

test('whoever loses a race reads who decided what and when', async ({ site, staff, other, id }) => {
  await report(site, id);
  const open = await caseAbout(site, 'report', id);
  const decide = (by: Client) => by.post(keep, { case_id: open?.id }, at(id));
  const answers = await Promise.all([decide(staff), decide(other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const asked = { query: { kind: 'report', subject: id } } as const;
  const { acts } = (await other.get(history, asked)).body;
  const happened_on = site.time.now.toISOString().slice(0, 10);
  expect(acts).toEqual([{ act: 'review.keep', by: 'Root Example', happened_on }]);
  // Reports are acts of readers.
  expect(JSON.stringify(acts)).not.toContain('report.receive');
});

test("history is for the case's role; a second look has none", async ({ staff, verifier, id }) => {
  await staff.post(keep, {}, at(id));
  const asking = (kind: 'report' | 'second_look', subject = id) => ({ query: { kind, subject } });
  expect((await verifier.get(history, asking('report'))).status).toBe(403);
  expect((await staff.get(history, asking('second_look'))).body.acts).toEqual([]);
  const odd = { query: { kind: invalid('gossip'), subject: "'" } };
  expect((await staff.get(history, odd)).status).toBe(400);
});

test('a listed review has the case of its reports, or of its appeal', async ({
  site,
  staff,
  author,
  id,
}) => {
  await report(site, id);
  const caseOf = async (show: 'open' | 'removed') => (await listedReview(staff, id, show))?.case_id;
  expect(await caseOf('open')).toBe(await caseIdAbout(site, 'report', id));
  await staff.post(remove, { reason: 'No.' }, at(id));
  expect(await caseOf('removed')).toBeNull();
  await site.as(author).post(reviewEndpoints.appeal, { text: 'Why?' }, at(id));
  expect(await caseOf('removed')).toBe(await caseIdAbout(site, 'appeal', id));
});

test('a decision of a deleted account names nobody', async ({ site, other, id }) => {
  await site.as(await site.admin()).post(keep, {}, at(id));
  await site.change('review_decisions', { review_id: id }, { decided_by: null });
  const { decisions } = (await other.get(moderationEndpoints.read, at(id))).body;
  expect(decisions).toMatchObject([{ by: 'Command or deleted account' }]);
});

test('without its role, staff learn which one it needs', async ({ site, staff, verifier, id }) => {
  await report(site, id);
  const open = at(await caseIdAbout(site, 'report', id));
  const { problem } = await verifier.get(read, open);
  expect(problem).toMatchObject({ status: 403, role: 'moderator' });
  expect(JSON.stringify(problem)).not.toContain(id);
  await staff.post(keep, {}, at(id));
  expect((await verifier.get(read, open)).status).toBe(404);
  expect((await verifier.get(moderationEndpoints.read, at(id))).status).toBe(403);
});

test('a row has reports and first words; filters have counts', async ({ site, staff, author }) => {
  const review_text = `${'Long nights and '.repeat(20)}no rest.`;
  const { id } = await site.review({ by: author, review_text });
  await report(site, id);
  await report(site, id);
  const { body } = await staff.get(list, { query: { kind: 'report' } });
  const open = await caseAbout(site, 'report', id);
  const row = body.results.find((one) => one.id === open?.id);
  expect(row).toMatchObject({ reports: { count: 2, reason: 'abusive' }, is_own_decision: false });
  expect(row?.excerpt).toMatch(/^Long nights and Long .{60,90}…$/);
  const { length } = body.results;
  expect(body.kinds.find(({ kind }) => kind === 'report')?.count).toBe(length);
  expect(body.oldest?.kind).toBe('report');
});

test('a case sorts by its day, or by the last day if only the month is known', async ({
  site,
  staff,
}) => {
  const { db } = site.deps;
  const open = async (day: string, isByMember: boolean) => {
    const { id: review_id } = await site.review();
    const about = { kind: 'report', subject: { review_id }, priority: 2, isByMember } as const;
    await openCase(db, () => new Date(`${day}T12:00:00Z`), about);
    return review_id;
  };
  const [resubmitted, later, first] = [
    await open('2020-11-20', true),
    await open('2020-11-25', false),
    // The day of a report is known, even if it is the first of a month.
    await open('2020-11-01', false),
  ];
  const { results } = (await staff.get(list, { query: { page_size: 100 } })).body;
  const rows = await site.rows('cases');
  const about = (id: string) => rows.find((row) => row.id === id)?.review_id;
  const ordered = results.filter(({ opened_on }) => opened_on.startsWith('2020-11'));
  expect(ordered.map(({ id }) => about(id))).toEqual([first, later, resubmitted]);
  expect(ordered.map(({ period }) => period)).toEqual(['day', 'day', 'month']);
});
