import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { DAY_MS } from '#contract/limits.ts';
import { caseIdAbout, listedReview, report } from '#server/features/reviews/testing/moderation.ts';
import { logOf, reviewOf } from '#server/testing/factories.ts';
import { signedInAgain } from '#server/testing/matched-doctor.ts';
import { at, expect, invalid, newSite, test as siteTest } from '#server/testing/site.ts';

const { listReports, remove, hold, restore, keep } = moderationEndpoints;

const test = siteTest
  .extend('account', ({ site }) => site.admin())
  .extend('admin', ({ site, account }) => site.as(account))
  .extend('author', ({ site }) => site.doctor())
  .extend('review', ({ site, author }) => site.review({ by: author }));

test('only administrators can moderate', async ({ site, author, review: { id } }) => {
  for (const [caller, status] of [
    [site.visitor(), 401],
    [site.as(author), 403],
  ] as const) {
    expect((await caller.get(listReports)).status).toBe(status);
    for (const act of [remove, hold, restore, keep]) {
      expect((await caller.post(act, invalid({ reason: 'x' }), at(id))).status).toBe(status);
    }
  }
});

test('lists the most reported first, without authors or reporters', async () => {
  const site = await newSite();
  const admin = site.as(await site.admin());
  const [{ id: second }, { id: first }] = [await site.review(), await site.review()];
  await report(site, second, 'off_topic');
  await report(site, first);
  await report(site, first, 'other');
  const { headers, body, text } = await admin.get(listReports);
  expect(headers['cache-control']).toBe('no-store, no-transform');
  expect(body.count).toBe(2);
  expect(body.results.map((one) => [one.review.id, one.reports.length])).toEqual([
    [first, 2],
    [second, 1],
  ]);
  const today = site.time.now.toISOString().slice(0, 10);
  expect(body.results[1]?.reports).toEqual([{ reason: 'off_topic', note: '', reported_on: today }]);
  expect(text).not.toMatch(/_key|author|reporter/);
  const kept = await admin.post(keep, null, at(second));
  expect(kept.body).toMatchObject({ review: { removed_reason: null }, reports: [] });
  expect((await admin.get(listReports, { query: { show: 'open' } })).body.count).toBe(1);
});

test('lists the public reviews whose last decision was to keep them, the last decision first', async () => {
  const site = await newSite();
  const account = await site.admin();
  const [first, second, undecided] = [
    await site.review(),
    await site.review(),
    await site.review(),
  ];
  for (const { id } of [first, second, undecided]) await report(site, id);
  await site.as(account).post(keep, null, at(first.id));
  site.pass(DAY_MS);
  const admin = site.as(await signedInAgain(site, account));
  const kept = async () => {
    const { count, results } = (await admin.get(listReports, { query: { show: 'kept' } })).body;
    expect(count).toBe(results.length);
    return results.map(({ review, reports, case_id }) => [review.id, reports.length, case_id]);
  };
  expect(await kept()).toEqual([[first.id, 0, null]]);
  await admin.post(keep, null, at(second.id));
  expect(await kept()).toEqual([
    [second.id, 0, null],
    [first.id, 0, null],
  ]);
  await report(site, first.id, 'other');
  const case_id = await caseIdAbout(site, 'report', first.id);
  expect(await kept()).toEqual([
    [second.id, 0, null],
    [first.id, 1, case_id],
  ]);
  await admin.post(remove, { reason: 'It names a colleague.' }, at(second.id));
  expect(await kept()).toEqual([[first.id, 1, case_id]]);
  await admin.post(restore, null, at(second.id));
  expect(await kept()).toEqual([[first.id, 1, case_id]]);
});

test('only its author sees a removed review', async ({ site, admin, author, review }) => {
  const { id, employer } = review;
  const visitor = site.visitor();
  const own = async () => (await site.as(author).get(reviewEndpoints.listOwn)).body;
  const counts = async () => [
    (await visitor.get(reviewEndpoints.list)).body.count,
    (await visitor.get(reviewEndpoints.filterOptions)).body.total_reviews,
    (await visitor.get(employerEndpoints.read, at(employer.id))).body.total_reviews,
    (await visitor.get(employerEndpoints.reviews, at(employer.id))).body.results.length,
  ];
  await report(site, id);
  const before = await counts();
  expect(before.slice(2)).toEqual([1, 1]);
  expect((await admin.post(remove, { reason: ' ' }, at(id))).status).toBe(400);
  const reason = 'It names a colleague.';
  const removed = await admin.post(remove, { reason }, at(id));
  expect(removed.body).toMatchObject({ review: { id, removed_reason: reason }, reports: [] });
  expect(await counts()).toEqual(before.map((count) => (count ?? 0) - 1));
  expect((await visitor.get(reviewEndpoints.read, at(id))).status).toBe(404);
  expect(await own()).toMatchObject([{ id, removed_reason: reason }]);
  const edit = await site.as(author).patch(reviewEndpoints.edit, reviewOf(employer.id), at(id));
  expect(edit.problem).toMatchObject({ status: 409, code: 'review_removed' });
  const again = await site.as(author).post(reviewEndpoints.create, reviewOf(employer.id));
  expect(again.problem.code).toBe('duplicate_review');
  expect(await listedReview(admin, id, 'removed')).toMatchObject({ review: { id } });
  expect(await listedReview(admin, id, 'open')).toBeUndefined();

  const restored = await admin.post(restore, null, at(id));
  expect(restored.body.review.removed_reason).toBeNull();
  expect(await counts()).toEqual(before);
  expect((await visitor.get(reviewEndpoints.read, at(id))).status).toBe(200);
});

test('records decisions by day, on existing reviews', async ({ site, account, admin, review }) => {
  const { id } = review;
  const nowhere = crypto.randomUUID();
  for (const act of [remove, hold]) {
    expect((await admin.post(act, { reason: 'x' }, at(nowhere))).status).toBe(404);
  }
  for (const act of [restore, keep]) {
    expect((await admin.post(act, null, at(nowhere))).status).toBe(404);
  }
  await report(site, id);
  await admin.post(remove, { reason: 'It names a colleague.' }, at(id));
  await admin.post(restore, null, at(id));
  expect(await logOf(site, nowhere, 'action')).toEqual([]);
  const log = await logOf(site, id, 'actor', 'action', 'happened_on', 'details');
  const { userId: actor } = account;
  const happened_on = site.time.now.toISOString().slice(0, 10);
  expect(log).toMatchObject([
    { actor: 'reader', action: 'report.receive' },
    { actor, action: 'review.remove', happened_on },
    { actor, action: 'review.restore', happened_on },
  ]);
  // The text for the author is not in the log: it is deleted with the review.
  expect(log[1]?.details).toEqual({ rule: 'general', source: 'report', days: 0 });
});
