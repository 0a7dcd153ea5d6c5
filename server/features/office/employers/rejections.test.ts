import type { CaseKind } from '#contract/cases.ts';
import { REJECTION_UNDONE, REJECTIONS } from '#contract/employers/employer-rejections.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import { representativeDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints, suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { DAY_MS, PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { caseAbout, isPublic } from '#server/features/reviews/testing/moderation.ts';
import { logOf, reviewOf } from '#server/testing/factories.ts';
import { at, test as base, type Client, expect, invalid, type Site } from '#server/testing/site.ts';

const { accept, add, compare, correct, insights, list, merge, read } = employerEndpoints;
const { previewMerge, readFile, reject, reviews, unmerge, unreject } = employerEndpoints;
const { appeal, create, edit, listOwn, publish } = reviewEndpoints;
const { decideAppeal, hold, restore } = moderationEndpoints;

const UNKNOWN = { rejection: 'unknown' } as const;
const MISTAKE = { reason: 'It opened last week.' };
const REJECTED = { status: 409, code: 'employer_rejected' };

const test = base
  .extend('owner', ({ site }) => site.admin())
  .extend('account', ({ site, owner: _ }) => site.admin(['curator']))
  .extend('curator', ({ site, account }) => site.as(account))
  .extend('moderator', ({ site, owner }) => site.as(owner))
  .extend('doctor', ({ site }) => site.doctor())
  .extend('author', ({ site, doctor }) => site.as(doctor))
  .extend('bogus', async ({ site }) => {
    const name = `Xqzv ${crypto.randomUUID().slice(0, 8)}`;
    return { name, id: await site.employer({ name, source: 'user', source_id: null }) };
  });

const caseOf = async (site: Site, employer_id: number, kind: CaseKind = 'employer') =>
  (await site.rows('cases', { employer_id, kind }))[0]?.id;
const own = async (author: Client, id: string) =>
  (await author.get(listOwn)).body.find((review) => review.id === id);

test('a rejected employer is found nowhere; its case closes', async ({ site, curator, bogus }) => {
  const { id, name } = bogus;
  const visitor = site.visitor();
  const kept = await site.employer({ city: 'Springfield', state: 'IL' });
  const finds = async () => {
    const found = await visitor.get(list, { query: { search: name } });
    const suggested = await visitor.get(suggestionEndpoints.list, { query: { search: name } });
    const { results, unknown_ids } = (
      await visitor.get(compare, { query: { ids: `${id},${kept}` } })
    ).body;
    const saved = await visitor.post(savedEndpoints.employers, { ids: [id] });
    return [
      found.body.results.some((one) => one.id === id),
      suggested.body.employers.some((one) => one.id === id),
      results.length === 2 && unknown_ids.length === 0,
      saved.body.results.length === 1,
      ...[read, insights, reviews].map(
        async (endpoint) => (await visitor.get(endpoint, at(id))).status === 200,
      ),
      (await visitor.get(read, at(kept))).status === 200,
    ];
  };
  const all = async () => Promise.all(await finds());
  expect(await all()).toEqual([true, true, true, true, true, true, true, true]);
  const total = async () =>
    (await visitor.get(employerEndpoints.filterOptions)).body.total_employers;
  const before = await total();
  const case_id = await caseOf(site, id);
  const { version } = (await curator.get(readFile, at(id))).body;
  const note = 'Nobody answers there.';
  const rejected = await curator.post(reject, { ...UNKNOWN, note, case_id, version }, at(id));
  expect(rejected.body).toEqual({ hidden_reviews: 0 });
  expect(await all()).toEqual([false, false, false, false, false, false, false, true]);
  expect(await total()).toBe(before - 1);
  expect(await caseOf(site, id)).toBeUndefined();
  expect((await curator.get(readFile, at(id))).body).toMatchObject({ rejected_for: 'unknown' });
  const details = { rejection: 'unknown', hidden_reviews: 0, reason: note };
  expect(await logOf(site, `${id}`, 'action', 'details')).toEqual([
    { action: 'employers.reject', details },
  ]);

  const back = (await curator.post(unreject, MISTAKE, at(id))).body;
  expect(back).toMatchObject({ employer: { id }, restored_reviews: 0 });
  expect(await all()).toEqual([true, true, true, true, true, true, true, true]);
  expect(await total()).toBe(before);
});

test('its authors read why', async ({ site, account, curator, doctor, author, bogus }) => {
  const { id } = bogus;
  const review = await site.review({ by: doctor, at: id });
  const reader = site.as(await site.doctor());
  await reader.post(feedbackEndpoints.report, { reason: 'not_genuine' }, at(review.id));
  const rejected = await curator.post(reject, { rejection: 'abusive' }, at(id));
  expect(rejected.body).toEqual({ hidden_reviews: 1 });
  const { note, rule } = REJECTIONS.abusive;
  expect(await own(author, review.id)).toMatchObject({
    removed_reason: note,
    decision: { outcome: 'remove', rule, note, source: 'employer', may_edit: false },
  });
  expect(await isPublic(site, review.id)).toBe(false);
  expect(await caseAbout(site, 'report', review.id)).toBeUndefined();
  const acts = await logOf(site, review.id, 'actor', 'action');
  expect(acts).toContainEqual({ actor: account.userId, action: 'review.remove' });
  const mails = site.mail.filter(({ to }) => to === doctor.email);
  expect(mails).toEqual([]);

  expect((await curator.post(unreject, MISTAKE, at(id))).body.restored_reviews).toBe(1);
  expect(await isPublic(site, review.id)).toBe(true);
  expect(await own(author, review.id)).toMatchObject({
    removed_reason: null,
    decision: { outcome: 'restore', note: REJECTION_UNDONE, source: 'employer' },
  });
});

test('its reviews stay hidden', async ({ site, curator, moderator, doctor, author, bogus }) => {
  const { id } = bogus;
  const review = await site.review({ by: doctor, at: id });
  const other = await site.review({ at: id });
  await curator.post(reject, UNKNOWN, at(id));
  await author.post(appeal, { text: 'It is on Main Street.' }, at(review.id));
  const answer = { outcome: 'overturn', answer: 'You are right.' } as const;
  expect((await moderator.post(decideAppeal, answer, at(review.id))).problem).toMatchObject(
    REJECTED,
  );
  expect((await moderator.post(restore, null, at(other.id))).problem).toMatchObject(REJECTED);
  const upheld = await moderator.post(
    decideAppeal,
    { ...answer, outcome: 'uphold' },
    at(review.id),
  );
  expect(upheld.status).toBe(200);
  expect(await isPublic(site, review.id)).toBe(false);
});

test('an undo grants open appeals', async ({ site, curator, moderator, doctor, author, bogus }) => {
  const { id } = bogus;
  const appealed = await site.review({ by: doctor, at: id });
  const held = await site.review({ at: id });
  await moderator.post(hold, { reason: 'It names a colleague.' }, at(held.id));
  const hidden = (await curator.post(reject, UNKNOWN, at(id))).body.hidden_reviews;
  expect(hidden).toBe(1);
  await author.post(appeal, { text: 'It is on Main Street.' }, at(appealed.id));
  expect((await curator.post(unreject, MISTAKE, at(id))).body.restored_reviews).toBe(1);
  expect(await isPublic(site, appealed.id)).toBe(true);
  expect(await isPublic(site, held.id)).toBe(false);
  expect((await own(author, appealed.id))?.decision?.appeal).toMatchObject({
    outcome: 'overturn',
    answer: REJECTION_UNDONE,
  });
  expect(await caseAbout(site, 'appeal', appealed.id)).toBeUndefined();
});

test('it takes no reviews, by id or by name', async ({ curator, author, bogus: { id, name } }) => {
  await curator.post(reject, UNKNOWN, at(id));
  const custom = reviewOf(0, { employer: name.toUpperCase(), is_custom_employer: 'true' });
  for (const body of [reviewOf(id), { ...reviewOf(id), publish: 'later' as const }, custom]) {
    expect((await author.post(create, body)).problem).toMatchObject(REJECTED);
  }
  expect((await author.post(add, { name })).problem).toMatchObject(REJECTED);
  const correction = { field: 'phone', value: '334 555 0177', source: 'I called' } as const;
  expect((await author.post(correct, correction, at(id))).status).toBe(404);
  // Another one of the name, somewhere else, is another employer.
  const elsewhere = await author.post(add, { name, city: 'Boise', state: 'ID' });
  expect(elsewhere.body.id).not.toBe(id);
  expect((await author.post(add, { name })).body.id).toBe(elsewhere.body.id);
});

test('its scheduled reviews are held, and say so', async ({ site, curator, author, bogus }) => {
  const { id } = bogus;
  const name = `Xqzv ${crypto.randomUUID().slice(0, 8)}`;
  const custom = reviewOf(0, { employer: name, is_custom_employer: 'true' });
  const waiting: OwnReview[] = [];
  for (const body of [reviewOf(id), custom]) {
    waiting.push((await author.post(create, { ...body, publish: 'later' })).body as OwnReview);
  }
  const named = await site.employer({ name, source: 'user', source_id: null });
  for (const one of [id, named]) await curator.post(reject, UNKNOWN, at(one));
  const [first] = waiting;
  expect((await author.post(publish, at(first?.id ?? ''))).problem).toMatchObject(REJECTED);

  const now = site.time.now;
  site.time.now = new Date(now.getTime() + PUBLISH_LATER_DAYS * DAY_MS + 120_000);
  await site.run('reviews-due');
  site.time.now = now;
  for (const review of waiting) {
    expect(await own(author, review.id)).toMatchObject({ status: 'held' });
    const edited = await author.patch(edit, reviewOf(0, { pros: 'Parking' }), at(review.id));
    expect(edited.problem).toMatchObject(REJECTED);
  }
  for (const one of [id, named]) await curator.post(unreject, MISTAKE, at(one));
  const statuses = async () =>
    Promise.all(waiting.map(async ({ id: one }) => (await own(author, one))?.status));
  expect(await statuses()).toEqual(['scheduled', 'scheduled']);
  expect((await author.post(publish, at(first?.id ?? ''))).status).toBe(200);
  site.time.now = new Date(now.getTime() + PUBLISH_LATER_DAYS * DAY_MS + 120_000);
  await site.run('reviews-due');
  site.time.now = now;
  expect(await statuses()).toEqual(['published', 'published']);
});

test('only a submitted employer is accepted, once', async ({ site, curator, bogus: { id } }) => {
  expect((await curator.post(accept, {}, at(id))).status).toBe(200);
  const listed = await site.employer();
  for (const one of [id, listed]) {
    const { problem } = await curator.post(accept, {}, at(one));
    expect(problem).toMatchObject({ status: 409, code: 'case_closed' });
  }
  expect(await logOf(site, `${listed}`, 'action')).toEqual([]);
});

test('of two curators, one decides', async ({ site, curator, bogus: { id } }) => {
  const other = site.as(await site.admin(['curator']));
  const case_id = await caseOf(site, id);
  const both = await Promise.all([
    curator.post(reject, { ...UNKNOWN, case_id }, at(id)),
    other.post(accept, { case_id }, at(id)),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);

  const again = await Promise.all([
    curator.post(reject, UNKNOWN, at(id)),
    other.post(reject, UNKNOWN, at(id)),
  ]);
  expect(again.filter(({ status }) => status === 409).length).toBeGreaterThan(0);
  const lost = again.find(({ status }) => status === 409);
  expect(lost?.problem.code).toBe('case_closed');
  const undone = await Promise.all([
    curator.post(unreject, MISTAKE, at(id)),
    other.post(unreject, MISTAKE, at(id)),
  ]);
  expect(undone.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('needs a reason, the read version, a submission', async ({ site, curator, author, bogus }) => {
  const { id } = bogus;
  const other = site.as(await site.admin(['curator']));
  const refused = async (body: object, one = id) =>
    (await curator.post(reject, invalid(body), at(one))).problem;
  expect((await refused({})).errors).toEqual({ rejection: ['Please choose a reason'] });
  expect((await refused({ rejection: 'bad' })).status).toBe(400);
  expect((await refused({ ...UNKNOWN, note: 'x'.repeat(2000) })).errors).toHaveProperty('note');
  expect((await refused({ ...UNKNOWN, version: 'old' })).code).toBe('changed_meanwhile');
  expect((await refused(UNKNOWN, await site.employer())).errors).toHaveProperty('id');
  expect((await refused(UNKNOWN, 999_999)).status).toBe(404);
  expect((await curator.post(unreject, MISTAKE, at(id))).problem.code).toBe('case_closed');
  expect((await curator.post(unreject, invalid({}), at(id))).status).toBe(400);
  const case_id = (await caseOf(site, id)) ?? '';
  await other.post(caseEndpoints.claim, at(case_id));
  expect((await refused({ ...UNKNOWN, case_id })).code).toBe('case_claimed');
  for (const client of [author, site.visitor(), site.as(await site.admin(['moderator']))]) {
    expect((await client.post(reject, UNKNOWN, at(id))).status).toBeGreaterThanOrEqual(401);
    expect((await client.post(unreject, MISTAKE, at(id))).status).toBeGreaterThanOrEqual(401);
  }
});

test('reviews posted meanwhile are hidden or refused', async ({ site, curator, bogus }) => {
  const { id } = bogus;
  const doctors = await Promise.all(Array.from({ length: 8 }, () => site.doctor()));
  const [rejected, ...posted] = await Promise.all([
    curator.post(reject, UNKNOWN, at(id)),
    ...doctors.map((by) => site.as(by).post(create, reviewOf(id))),
  ]);
  expect(rejected.status).toBe(200);
  for (const { status } of posted) expect([201, 409]).toContain(status);
  const stored = await site.rows('reviews', { employer_id: id });
  expect(stored.map(({ removed_reason }) => removed_reason === null)).not.toContain(true);
  expect(stored.length).toBe(posted.filter(({ status }) => status === 201).length);
  expect(rejected.body.hidden_reviews).toBe(stored.length);
});

test('it is not merged; representatives start over', async ({ site, curator, author, bogus }) => {
  const { id } = bogus;
  const into = await site.employer();
  const earlier = await site.employer({ name: `Old ${id}`, source: 'user', source_id: null });
  await curator.post(merge, { into: id }, at(earlier));
  const correction = { field: 'phone', value: '334 555 0177', source: 'I called' } as const;
  await author.post(correct, correction, at(earlier));
  const { userId } = await site.representative(id);
  await curator.post(reject, UNKNOWN, at(id));
  const reason = 'Same place';
  const preview = await curator.get(previewMerge, { ...at(id), query: { into } });
  expect(preview.problem).toMatchObject(REJECTED);
  expect((await curator.post(merge, { into }, at(id))).problem).toMatchObject(REJECTED);
  expect((await curator.post(merge, { into: id }, at(into))).problem).toMatchObject(REJECTED);
  expect((await curator.post(unmerge, { reason }, at(earlier))).problem).toMatchObject(REJECTED);
  expect((await curator.post(accept, {}, at(id))).problem).toMatchObject(REJECTED);
  const approve = representativeDecisionEndpoints.approve;
  expect((await curator.post(approve, { reason }, at(userId))).problem).toMatchObject(REJECTED);
  expect(await caseOf(site, id, 'correction')).toBeUndefined();
  const states = await site.rows('representatives', { user_id: userId }, ['state']);
  expect(states).toEqual([{ state: 'pending' }]);
});
