import { sql } from 'kysely';
import { correctionDecisionEndpoints, employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints } from '#contract/endpoints/feedback.ts';
import { representativeDecisionEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { DAY_MS, MERGE_UNDO_DAYS } from '#contract/limits.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { decideCorrection } from '#server/features/employers/correction/corrections.ts';
import { acceptEmployer, lockFacts } from '#server/features/employers/curation/curation.ts';
import { retention } from '#server/features/member/retention.ts';
import { logOf, reviewOf, type TestAccount } from '#server/testing/factories.ts';
import { expect, invalid, at as of, type Site, test as siteTest } from '#server/testing/site.ts';

const { correct, curate, insights, list, merge, read, readFile, unmerge } = employerEndpoints;
const REASON = 'Two places after all.';

/** An employer, with what curators and the public do there. */
async function placeIn(site: Site, curator: TestAccount, fields: object = {}) {
  const id = await site.employer(fields);
  return {
    id,
    mergeInto: async (into: { id: number }) =>
      (await site.as(curator).post(merge, { into: into.id }, of(id))).body,
    undo: (by = curator) => site.as(by).post(unmerge, { reason: REASON }, of(id)),
    merges: async (by = curator) => (await site.as(by).get(readFile, of(id))).body.merges,
    write: async (details: Parameters<Site['review']>[0] = {}) =>
      (await site.review({ at: id, ...details })).id,
    page: async () => (await site.visitor().get(read, of(id))).body,
    reviews: async () => {
      const { body } = await site.visitor().get(employerEndpoints.reviews, of(id));
      return body.results.map((review) => review.id).toSorted();
    },
  };
}

const test = siteTest
  .extend('curator', ({ site }) => site.admin())
  .extend('doctor', ({ site }) => site.doctor())
  .extend('into', ({ site, curator }) => placeIn(site, curator))
  .extend('from', ({ site, curator }) => placeIn(site, curator))
  .extend('third', ({ site, curator }) => placeIn(site, curator));

test('an undo restores reviews, votes, figures, and links', async ({ site, curator, doctor }) => {
  const visitor = site.visitor();
  const boise = { name: 'Sedgewort Hospital', city: 'Boise', state: 'ID' };
  const nome = { name: 'Quillwort Infirmary', city: 'Nome', state: 'AK' };
  const [into, from] = [await placeIn(site, curator, boise), await placeIn(site, curator, nome)];
  const kept = await into.write({ by: doctor, overall_rating: 1 });
  const own = await from.write({ by: doctor, overall_rating: 5 });
  const voted = await from.write({ overall_rating: 4 });
  await site.as(await site.doctor()).post(castVoteEndpoints.helpful, of(voted));
  const before = (await visitor.get(insights, of(from.id))).body;
  await from.mergeInto(into);
  const after = await into.write({ overall_rating: 2 });
  expect(await into.page()).toMatchObject({ total_reviews: 4, overall_rating: 3 });
  expect((await visitor.get(read, of(from.id))).status).toBe(301);

  expect((await from.undo()).body).toMatchObject({
    returned_reviews: 2,
    employer: { id: from.id, name: 'Quillwort Infirmary', total_reviews: 2, overall_rating: 4.5 },
  });
  expect(await from.reviews()).toEqual([own, voted].toSorted());
  expect(await into.reviews()).toEqual([kept, after].toSorted());
  expect(await into.page()).toMatchObject({ total_reviews: 2, overall_rating: 1.5 });
  expect((await visitor.get(insights, of(from.id))).body).toEqual(before);
  const found = await visitor.get(list, { query: { search: 'quillwort' } });
  expect(found.body).toMatchObject({ count: 1, results: [{ id: from.id }] });
  const review = (await visitor.get(reviewEndpoints.read, of(voted))).body;
  expect(review).toMatchObject({ helpful_count: 1, employer: { id: from.id, state: 'AK' } });
  for (const [state, search] of [['AK', 'quillwort'] as const, ['ID', 'sedgewort'] as const]) {
    const { body } = await visitor.get(reviewEndpoints.list, { query: { state, search } });
    expect(body.count).toBe(2);
  }
  // Each still counts for the employer it was written for.
  const { problem } = await site.as(doctor).post(reviewEndpoints.create, reviewOf(from.id));
  expect(problem).toMatchObject({ code: 'duplicate_review', review_id: own });

  const acts = await logOf(site, String(from.id), 'actor', 'action', 'details');
  const details = { from: into.id, returned_reviews: 2, reason: REASON };
  const undone = { actor: curator.userId, action: 'employers.unmerge', details };
  expect(acts.filter(({ action }) => action === undone.action)).toEqual([undone]);
});

test('a review written by an old link moves back with its employer', async ({ into, from }) => {
  await from.mergeInto(into);
  const linked = await from.write();
  expect(await into.reviews()).toEqual([linked]);
  expect((await from.undo()).body).toMatchObject({ returned_reviews: 1 });
  expect(await from.reviews()).toEqual([linked]);
});

test('earlier merges come back, and can be undone, too', async ({ into, from, third: earlier }) => {
  const oldest = await earlier.write();
  await earlier.mergeInto(from);
  const own = await from.write();
  await from.mergeInto(into);
  expect((await from.undo()).body).toMatchObject({ returned_reviews: 2 });
  expect(await earlier.page()).toEqual({ merged_into: from.id });
  expect(await from.reviews()).toEqual([oldest, own].toSorted());
  expect((await earlier.undo()).body).toMatchObject({ returned_reviews: 1 });
  expect(await from.reviews()).toEqual([own]);
  expect(await earlier.reviews()).toEqual([oldest]);
});

for (const order of ['first', 'last']) {
  test(`of two merges, undoes the ${order} first`, async ({ doctor: by, into, from, third }) => {
    const own = await from.write({ by });
    const others = await into.write({ by });
    const thirds = await third.write({ by });
    await from.mergeInto(into);
    await into.mergeInto(third);
    expect(await third.reviews()).toEqual([own, others, thirds].toSorted());
    for (const merged of order === 'first' ? [from, into] : [into, from]) {
      expect((await merged.undo()).status).toBe(200);
    }
    expect(await from.reviews()).toEqual([own]);
    expect(await into.reviews()).toEqual([others]);
    expect(await third.reviews()).toEqual([thirds]);
  });
}

test('an employer merged elsewhere after an undo stays there', async ({ into, from, third }) => {
  const own = await from.write();
  const others = await into.write();
  await from.mergeInto(into);
  await into.mergeInto(third);
  await from.undo();
  await from.mergeInto(third);
  expect((await into.undo()).body).toMatchObject({ returned_reviews: 1 });
  expect(await into.reviews()).toEqual([others]);
  expect(await third.reviews()).toEqual([own]);
  expect(await from.page()).toEqual({ merged_into: third.id });
});

test('facts that changed in the meantime stay changed on both sides', async ({ site, curator }) => {
  const [OLD, NEW] = [{ phone: '(334) 555-0100' }, { phone: '(334) 555-0199' }];
  const [into, from] = [await placeIn(site, curator, OLD), await placeIn(site, curator, OLD)];
  await from.mergeInto(into);
  const facts = { name: 'New Name', bed_count: 7 };
  await site.as(curator).patch(curate, facts, of(into.id));
  await site.change('employers', { id: from.id }, NEW);
  expect((await from.undo()).body.employer).toMatchObject(NEW);
  expect(await into.page()).toMatchObject({ ...facts, ...OLD });
});

test('a correction moves back with its employer', async ({ site, curator, doctor, into, from }) => {
  const fact = { field: 'phone', value: '(334) 555-0177' } as const;
  await site.as(doctor).post(correct, { ...fact, source: 'I called them' }, of(from.id));
  await from.mergeInto(into);
  await from.undo();
  const decision = { ...fact, today: null, reason: 'So it is.' };
  await site.as(curator).post(correctionDecisionEndpoints.accept, decision, of(from.id));
  expect((await from.page()).phone).toBe('(334) 555-0177');
  expect((await into.page()).phone).toBeNull();
});

test('of two simultaneous undos, one is made; merges wait', async ({ site, into, from, third }) => {
  const other = await site.admin();
  const own = await from.write();
  await from.mergeInto(into);
  const [first, second] = await Promise.all([from.undo(), from.undo(other), into.mergeInto(third)]);
  expect([first.status, second.status].toSorted()).toEqual([200, 409]);
  const { problem } = first.status === 409 ? first : second;
  expect(problem).toMatchObject({ code: 'merge_over' });
  expect(await from.reviews()).toEqual([own]);
});

test('rejects merges that cannot be undone', async ({ site, curator, into, from }) => {
  expect((await into.undo()).problem).toMatchObject({ code: 'merge_over' });
  expect((await site.as(curator).post(unmerge, { reason: REASON }, of(999_999))).status).toBe(404);
  await from.mergeInto(into);
  const unexplained = await site.as(curator).post(unmerge, invalid({}), of(from.id));
  expect(unexplained.problem.errors).toEqual({ reason: ['Please give a reason'] });
  await site.deps.db.deleteFrom('employers').where('id', '=', from.id).execute();
  expect((await from.undo()).status).toBe(404);
  expect((await site.visitor().get(read, of(into.id))).status).toBe(200);
});

test('nothing is stored per review, and no time finer than a day', async ({ site, into, from }) => {
  await from.write();
  await from.mergeInto(into);
  const merged_on = site.time.now.toISOString().slice(0, 10);
  const row = { employer_id: from.id, merged_on, followed: [] };
  expect(await site.rows('employer_merges', { employer_id: from.id })).toEqual([row]);
});

test('a merge can be undone for 30 days; then its data is gone', async ({ site, into, from }) => {
  await from.mergeInto(into);
  const { now } = site.time;
  const after = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const employer = { id: from.id, name: expect.any(String) };
  const undo_until = day(after(MERGE_UNDO_DAYS));
  const expected = { employer, merged_on: day(now), undo_until };
  expect(await into.merges()).toEqual([expected]);
  expect(await from.merges()).toEqual([expected]);

  const kept = async () => {
    await retention(site.deps)({});
    return (await site.rows('employer_merges', { employer_id: from.id })).length;
  };
  site.time.now = after(MERGE_UNDO_DAYS);
  expect(await kept()).toBe(1);
  site.time.now = after(MERGE_UNDO_DAYS + 1);
  const late = await site.admin();
  expect(await into.merges(late)).toEqual([]);
  expect((await from.undo(late)).problem).toMatchObject({ code: 'merge_over' });
  expect(await kept()).toBe(0);
});

test('merges and undos end approvals of representatives', async ({ site, curator, into, from }) => {
  const { userId: id } = await site.representative(from.id);
  const approve = (employer_id: number) => {
    const body = { reason: 'Known to us.', employer_id };
    return site.as(curator).post(representativeDecisionEndpoints.approve, body, of(id));
  };
  const state = async () =>
    (await site.rows('representatives', { user_id: id }, ['state']))[0]?.state;
  await from.mergeInto(into);
  expect(await state()).toBe('pending');
  expect((await approve(from.id)).problem).toMatchObject({ code: 'changed_meanwhile' });
  expect((await approve(into.id)).status).toBe(200);
  expect(await state()).toBe('approved');

  expect((await from.undo()).status).toBe(200);
  expect(await state()).toBe('pending');
  expect((await approve(into.id)).problem).toMatchObject({ code: 'changed_meanwhile' });
  expect((await approve(from.id)).status).toBe(200);
});

test('corrections are decided once each while a merge is undone, and leave no case', async ({
  site,
  curator,
  doctor,
  into,
}) => {
  const { db, clock } = site.deps;
  const [old, fresh] = ['(334) 555-0100', '(334) 555-0177'];
  const from = await placeIn(site, curator, { phone: old, bed_count: 5 });
  const propose = (field: string, value: unknown) =>
    site.as(doctor).post(correct, invalid({ field, value, source: 'Its page' }), of(from.id));
  await propose('phone', fresh);
  await propose('bed_count', 9);
  await from.mergeInto(into);
  const today = (await into.page()).phone;
  const others = site.as(await site.admin());
  const decide = (how: 'accept' | 'refuse', field: string, value: unknown, read: unknown) => {
    const decision = invalid({ field, value, today: read, reason: REASON });
    return others.post(correctionDecisionEndpoints[how], decision, of(from.id));
  };
  const later = await db.transaction().execute(async (trx) => {
    const decision = { field: 'phone', value: fresh, today, reason: REASON } as const;
    await decideCorrection({ db: trx, clock }, curator.userId, from.id, 'refuse', decision);
    const undo = from.undo();
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    const answers = [decide('refuse', 'bed_count', 9, 5), decide('accept', 'phone', fresh, old)];
    await expect.poll(() => waitingForLocks(db)).toBe(3);
    return { undo, answers };
  });
  expect((await later.undo).status).toBe(200);
  const [last, second] = await Promise.all(later.answers);
  expect(last?.status).toBe(200);
  expect(second?.problem).toMatchObject({ status: 409, code: 'case_closed' });
  expect(await site.rows('employer_corrections', { employer_id: from.id })).toEqual([]);
  expect(await site.rows('cases', { employer_id: from.id, kind: 'correction' })).toEqual([]);
});

test.for(['merge', 'reject'] as const)(
  'to %s waits for who accepts the employer',
  async (how, { site, curator, into }) => {
    const { db, clock } = site.deps;
    const id = await site.employer({ source: 'user', source_id: null });
    const [open] = await site.rows('cases', { employer_id: id, kind: 'employer' });
    const case_id = open?.id ?? '';
    const others = site.as(await site.admin());
    const later = await db.transaction().execute(async (trx) => {
      // A deadlock would end this transaction, which is not tried again.
      await sql`set local deadlock_timeout = '10ms'`.execute(trx);
      await lockFacts(trx, id);
      const answer =
        how === 'merge'
          ? others.post(merge, { into: into.id, case_id }, of(id))
          : others.post(employerEndpoints.reject, { rejection: 'unknown', case_id }, of(id));
      await expect.poll(() => waitingForLocks(db)).toBe(1);
      await acceptEmployer({ db: trx, clock }, curator.userId, id, { case_id });
      return { answer };
    });
    expect((await later.answer).problem).toMatchObject({ status: 409, code: 'case_closed' });
  },
);
