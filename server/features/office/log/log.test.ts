import { parse } from 'csv-parse/sync';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints, feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import {
  doctorDecisionEndpoints,
  logEndpoints,
  staffEndpoints,
} from '#contract/endpoints/office.ts';
import { representativeDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { LOG_KIND_KEYS, logKindsFor, STAFF_ACTS } from '#contract/office/logged-acts.ts';
import type { Role } from '#contract/staff-roles.ts';
import type { TestAccount } from '#server/testing/factories.ts';
import { signedInAgain } from '#server/testing/matched-doctor.ts';
import { at, expect, invalid, type Site, testWith } from '#server/testing/site.ts';

const read = async (site: Site, by: TestAccount, query: object = {}) =>
  (await site.as(by).get(logEndpoints.list, { query: { page_size: 100, ...query } })).body;
const actsOf = async (site: Site, by: TestAccount, query: object = {}) =>
  (await read(site, by, query)).results.map(({ act }) => act).toSorted();

/** Some of everything, by a reader, an author, and staff in every role. */
async function everythingOn(site: Site) {
  const day = site.time.now.toISOString().slice(0, 10);
  const owner = await site.admin(['owner', 'moderator', 'curator']);
  const moderator = await site.admin(['moderator']);
  const verifier = await site.admin(['verifier']);
  const auditor = await site.admin(['auditor']);
  const [author, reporter] = [await site.doctor(), await site.doctor()];
  const doctor = await site.doctor({});
  const employer = await site.employer();
  const representative = await site.representative(employer, { state: 'pending' });
  const review = await site.review({ by: author, at: employer });
  const { id } = review;
  const [asOwner, asReporter, asVerifier] = [site.as(owner), site.as(reporter), site.as(verifier)];
  const grounds = { reason: 'It names a nurse.', rule: 'private_persons' } as const;
  const reason = { reason: 'Showed a badge.' };
  const note = { reason: 'abusive', note: 'Canary note.' } as const;
  const overturn = { outcome: 'overturn', answer: 'You are right.' } as const;
  const facts = { bed_count: 12, reason: 'Counted.' };
  const roles: Role[] = ['moderator', 'curator'];
  const { decideAppeal, remove } = moderationEndpoints;
  const { verify, deny_posting } = doctorDecisionEndpoints;
  const { approve } = representativeDecisionEndpoints;
  const answers = [
    await asReporter.post(castVoteEndpoints.helpful, at(id)),
    await asReporter.post(feedbackEndpoints.report, note, at(id)),
    await asOwner.post(remove, grounds, at(id)),
    await site.as(author).post(reviewEndpoints.appeal, { text: 'Canary appeal.' }, at(id)),
    await site.as(moderator).post(decideAppeal, overturn, at(id)),
    await asVerifier.post(verify, reason, at(doctor.userId)),
    await asVerifier.post(deny_posting, reason, at(author.userId)),
    await asOwner.post(approve, reason, at(representative.userId)),
    await asOwner.patch(employerEndpoints.curate, facts, at(employer)),
    await asOwner.patch(staffEndpoints.appoint, { roles }, at(moderator.userId)),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return { day, owner, moderator, auditor, author, reporter, doctor, representative, review };
}

const test = testWith()
  .extend('scene', { scope: 'file' }, ({ site }) => everythingOn(site))
  .extend('auditor', ({ scene }) => scene.auditor);

test('an auditor reads who of the staff did what, and why', async ({ site, scene, auditor }) => {
  const { day, review } = scene;
  const { count, results } = await read(site, auditor);
  expect(count).toBe(results.length);
  const found = (act: string) => results.find((entry) => entry.act === act);
  expect(found('review.remove')).toEqual({
    ...{ id: expect.any(String), happened_on: day, actor: 'Root Example', act: 'review.remove' },
    actor_id: scene.owner.userId,
    subject: { type: 'review', id: review.id },
    details: { rule: 'private_persons', source: 'report' },
  });
  const expectEntry = (act: string, subject: object | null, details: object = {}) =>
    expect(found(act)).toMatchObject({ subject, details });
  const { id, name } = review.employer;
  const employer = { type: 'employer', id, name };
  expectEntry('doctor.verify', null, { reason: 'Showed a badge.' });
  expectEntry('employers.curate', employer, { bed_count: 12, reason: 'Counted.' });
  expectEntry('representative.approve', employer);
  const moderator = { type: 'name', name: 'Root Example' };
  expectEntry('staff.appoint', moderator, { roles: 'moderator,curator' });
});

test('the log names no author, voter, reporter, or doctor', async ({ site, scene, auditor }) => {
  const { text } = await site.as(auditor).get(logEndpoints.list, { query: { page_size: 100 } });
  for (const { userId, email } of [scene.author, scene.reporter, scene.representative]) {
    expect(text).not.toContain(userId);
    expect(text).not.toContain(email);
  }
  expect(text).not.toMatch(/Canary|Ada|"reader"|"author"|receive|days/);
  const doctors = (await read(site, auditor, { kind: 'doctors' })).results;
  expect(doctors.map(({ subject }) => subject)).toEqual([null, null]);
});

test('an auditor who verifies doctors reads nothing about reviews', async ({ site, auditor }) => {
  const both = await site.admin(['verifier', 'auditor']);
  const all = await actsOf(site, auditor);
  expect(all).toContain('appeal.overturn');
  const theirs = all.filter((act) => !/^(review|appeal|second-look|reply)\./.test(act));
  expect(await actsOf(site, both)).toEqual(theirs);
  const none = { count: 0, results: [] };
  expect(await read(site, both, { kind: 'reviews' })).toMatchObject(none);
  expect(logKindsFor(['owner', 'moderator', 'verifier', 'auditor'])).toEqual(LOG_KIND_KEYS);
});

test('filters by kind and month, newest day first, by page', async ({ site, scene, auditor }) => {
  const reviews = await actsOf(site, auditor, { kind: 'reviews' });
  expect(reviews).toEqual(['appeal.overturn', 'review.remove']);
  const old = { actor: 'cli', action: 'keys.rotate', subject: 'accounts' };
  const days = ['2020-01-31', '2020-02-01', '2020-02-29', '2020-03-01'];
  const rows = days.map((happened_on) => ({ ...old, happened_on }));
  await site.deps.db.insertInto('audit_log').values(rows).execute();
  const february = await read(site, auditor, { month: '2020-02' });
  expect(february.results).toMatchObject([
    { happened_on: '2020-02-29', actor: 'Command', subject: { type: 'name', name: 'accounts' } },
    { happened_on: '2020-02-01' },
  ]);
  expect((await read(site, auditor, { month: '2020-02', kind: 'staff' })).count).toBe(0);
  const { results } = await read(site, auditor, { kind: 'server' });
  expect(results.map(({ happened_on }) => happened_on)).toEqual(days.toReversed());
  const previous = '/api/admin/log/?kind=server&page=1&page_size=3';
  const last = { count: 4, next: null, previous, results: [{ happened_on: '2020-01-31' }] };
  expect(await read(site, auditor, { kind: 'server', page: 2, page_size: 3 })).toMatchObject(last);
  const two = { review: scene.review.id, employer: 1 };
  const wrong = [
    two,
    { staff: 'cli' },
    { employer: 'x' },
    { review: '1' },
    { kind: 'gossip' },
    { month: '2020-13' },
    { month: '2020' },
    { actor: 'x' },
  ];
  for (const query of wrong) {
    const answer = await site.as(auditor).get(logEndpoints.list, { query: invalid(query) });
    expect([query, answer.status]).toEqual([query, 400]);
  }
});

test('filters by staff member, review, and employer', async ({ site, scene, auditor }) => {
  const { owner, moderator, review } = scene;
  const acts = (query: object) => actsOf(site, auditor, query);
  expect(await acts({ staff: moderator.userId })).toEqual(['appeal.overturn']);
  expect(await acts({ staff: owner.userId, kind: 'reviews' })).toEqual(['review.remove']);
  expect(await acts({ review: review.id })).toEqual(['appeal.overturn', 'review.remove']);
  const { id } = review.employer;
  const theirs = ['employers.curate', 'representative.approve'];
  expect(await acts({ employer: id })).toEqual(theirs);
  expect(await acts({ employer: id, staff: moderator.userId })).toEqual([]);
  // Also under the employer that it is merged into, whichever of the two is asked for.
  const into = await site.employer();
  await site.change('employers', { id }, { merged_into: into });
  expect([await acts({ employer: into }), await acts({ employer: id })]).toEqual([theirs, theirs]);
  await site.change('employers', { id }, { merged_into: null });
});

test('no filter finds what was done to a doctor or a member', async ({ site, scene, auditor }) => {
  const accounts = [scene.doctor, scene.author, scene.reporter, scene.representative];
  for (const { userId } of accounts) {
    for (const filter of ['review', 'demand', 'staff']) {
      expect([filter, await actsOf(site, auditor, { [filter]: userId })]).toEqual([filter, []]);
    }
  }
  const both = await site.admin(['verifier', 'auditor']);
  expect(await actsOf(site, both, { review: scene.review.id })).toEqual([]);
});

test('exports what the filters find; no cell is a formula', async ({ site, scene, auditor }) => {
  const name = '=SUM(A1), "Clinic"';
  const id = await site.employer({ name });
  const change = { bed_count: 13, reason: '@Counted.\nTwice.' };
  const owner = site.as(await signedInAgain(site, scene.owner));
  expect((await owner.patch(employerEndpoints.curate, change, at(id))).status).toBe(200);
  const query = { employer: String(id) };
  const { body } = await site.as(auditor).get(logEndpoints.export, { query });
  expect(body.count).toBe(1);
  const [row, ...others] = parse(body.csv, { columns: true }) as Record<string, string>[];
  expect(others).toEqual([]);
  const about = { about: 'employer', about_id: String(id), about_name: `'${name}` };
  expect(row).toMatchObject({ staff: 'Root Example', staff_id: scene.owner.userId, ...about });
  expect(JSON.parse(row?.['details'] ?? '')).toEqual(change);
  const all = await site.as(auditor).get(logEndpoints.export);
  expect(all.body.csv).not.toContain(scene.author.userId);
  expect((await site.as(scene.moderator).get(logEndpoints.export)).status).toBe(403);
});

test('labels a staff member whose account was deleted', async ({ site, auditor }) => {
  const happened_on = '2019-05-01';
  const gone = crypto.randomUUID();
  const act = { action: 'factor.remove', happened_on, actor: gone, subject: gone };
  await site.deps.db.insertInto('audit_log').values(act).execute();
  const entry = { actor: 'Deleted account', subject: null };
  expect((await read(site, auditor, { month: '2019-05' })).results).toMatchObject([entry]);
});

test('every act has one text', () => {
  const acts = Object.values(STAFF_ACTS).flatMap((kind) => Object.keys(kind));
  expect(new Set(acts).size).toBe(acts.length);
});
