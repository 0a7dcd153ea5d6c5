import { CASE_CLAIM_MINUTES } from '#contract/cases.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { caseEndpoints, doctorDecisionEndpoints } from '#contract/endpoints/office.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import type { ReportRequest } from '#contract/reviews/review-feedback.ts';
import { report } from '#server/features/reviews/testing/moderation.ts';
import { logOf, newDoctor, type TestAccount } from '#server/testing/factories.ts';
import { at, type Client, expect, invalid, type Site, testWith } from '#server/testing/site.ts';

const { list, read, claim, release } = caseEndpoints;

const test = testWith()
  .extend('one', ({ site }) => site.admin())
  .extend('other', ({ site, one: _ }) => site.admin())
  .extend('verifier', ({ site, one: _ }) => site.admin(['verifier']))
  .extend('reported', ({ site }) => async (reason: ReportRequest['reason'] = 'abusive') => {
    const { id } = await site.review();
    await report(site, id, reason);
    return id;
  })
  .extend('waitingDoctor', async ({ site: { deps } }) => {
    const name = { first_name: 'Ida', last_name: 'Waits' };
    const { id: account_id } = await newDoctor({ deps }, name);
    const opened = { opened_on: '2026-11-16', period: 'week' };
    const waiting = { kind: 'doctor', account_id, priority: 2, ...opened };
    await deps.db.insertInto('cases').values(waiting).execute();
    return account_id;
  });

const casesOf = async (site: Site, by: TestAccount, query: object = {}) =>
  (await site.as(by).get(list, { query: { page_size: 50, ...query } })).body.results;
async function caseTitled(site: Site, by: TestAccount, title: string) {
  const found = (await casesOf(site, by)).find((one) => one.title === title);
  if (!found) throw new Error(`no case about ${title}`);
  return found;
}
const caseAbout = async (site: Site, column: 'review_id' | 'account_id', id: string) =>
  (await site.rows('cases', { [column]: id }))[0];

test('most urgent first, and filters', async ({ site, one, verifier, reported, waitingDoctor }) => {
  const [spam, private_] = [await reported('off_topic'), await reported('private_details')];
  const results = await casesOf(site, one);
  expect(results.map(({ kind }) => kind)).not.toContain('doctor');
  const priorities = results.map(({ priority }) => priority);
  expect(priorities).toEqual(priorities.toSorted());
  const reports = await casesOf(site, one, { kind: 'report' });
  expect(new Set(reports.map(({ kind }) => kind))).toEqual(new Set(['report']));
  const first = await casesOf(site, one, { priority: 1 });
  expect(first.every(({ priority }) => priority === 1)).toBe(true);
  const urgent = await caseAbout(site, 'review_id', private_);
  const low = await caseAbout(site, 'review_id', spam);
  expect([urgent?.priority, low?.priority]).toEqual([1, 3]);
  const waits = { kind: 'doctor', opened_on: '2026-11-16', claim: null };
  const detail = expect.stringMatching(/^NPI \d{10}$/);
  expect(await caseTitled(site, verifier, 'Ida Waits')).toMatchObject({ ...waits, detail });
  expect(await caseAbout(site, 'account_id', waitingDoctor)).toBeDefined();
  const unknown = { query: { kind: invalid('gossip') } };
  expect((await site.as(one).get(list, unknown)).status).toBe(400);
});

test('a worse report makes a case more urgent, and never less', async ({ site, reported }) => {
  const id = await reported('off_topic');
  await report(site, id, 'private_details');
  await report(site, id, 'other');
  expect(await caseAbout(site, 'review_id', id)).toMatchObject({ priority: 1 });
});

test('the file of a report names neither author nor reporters', async ({ site, one, reported }) => {
  const { id = '' } = (await caseAbout(site, 'review_id', await reported())) ?? {};
  const { body, text, headers } = await site.as(one).get(read, at(id));
  expect(body.file).toMatchObject({ type: 'review', reports: [{ reason: 'abusive' }] });
  expect(text).not.toMatch(/_key|author|reporter|voter/);
  expect(headers['cache-control']).toBe('no-store, no-transform');
});

test('of two claims, one has the case for half an hour', async ({ site, one, other, reported }) => {
  const review = await reported();
  const { id = '' } = (await caseAbout(site, 'review_id', review)) ?? {};
  const answers = await Promise.all([one, other].map((by) => site.as(by).post(claim, at(id))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.problem.code).toBe('case_claimed');
  const [winner, loser] =
    answers[0]?.status === 200 ? [site.as(one), site.as(other)] : [site.as(other), site.as(one)];
  const seen = async (by: typeof winner) => (await by.get(read, at(id))).body.case.claim;
  expect(await seen(winner)).toMatchObject({ is_own: true });
  expect(await seen(loser)).toMatchObject({ is_own: false, name: 'Root Example' });
  const keep = (by: typeof winner) => by.post(moderationEndpoints.keep, null, at(review));
  expect((await keep(loser)).problem).toMatchObject({ code: 'case_claimed' });
  // The rejected decision has no effect.
  expect((await loser.get(read, at(id))).status).toBe(200);
  const { now } = site.time;
  site.time.now = new Date(now.getTime() + CASE_CLAIM_MINUTES * MINUTE_MS);
  const late = site.as(await site.admin());
  expect(await seen(late)).toBeNull();
  expect((await late.post(claim, at(id))).status).toBe(200);
  site.time.now = now;
  expect((await winner.post(claim, at(id))).status).toBe(409);
  // Nobody can release what somebody else has claimed.
  expect((await winner.post(release, at(id))).status).toBe(200);
  expect(await seen(late)).toMatchObject({ is_own: true });
  await late.post(release, at(id));
  expect(await seen(late)).toBeNull();
  expect((await keep(winner)).status).toBe(200);
  expect((await loser.post(claim, at(id))).problem).toMatchObject({ code: 'case_closed' });
  expect((await loser.get(read, at(id))).status).toBe(404);
});

test('deleting a review or an account deletes its cases', async ({ site, waitingDoctor }) => {
  const author = await site.doctor();
  const { id } = await site.review({ by: author });
  await report(site, id);
  expect(await caseAbout(site, 'review_id', id)).toBeDefined();
  await site.as(author).delete(reviewEndpoints.delete, at(id));
  expect(await caseAbout(site, 'review_id', id)).toBeUndefined();
  await site.deps.db.deleteFrom('users').where('id', '=', waitingDoctor).execute();
  expect(await caseAbout(site, 'account_id', waitingDoctor)).toBeUndefined();
});

test('decides about a doctor once, with a reason', async ({ site, verifier, waitingDoctor }) => {
  const { verify, ...others } = doctorDecisionEndpoints;
  const { id: case_id = '' } = (await caseAbout(site, 'account_id', waitingDoctor)) ?? {};
  const client = site.as(verifier);
  const unexplained = await client.post(verify, invalid({ case_id }), at(waitingDoctor));
  expect(unexplained.problem.errors).toEqual({ reason: ['Please give a reason'] });
  const reason = 'Showed a badge.';
  const verifiers = [client, site.as(await site.admin(['verifier']))];
  const decide = (by: Client) => by.post(verify, { reason, case_id }, at(waitingDoctor));
  const answers = await Promise.all(verifiers.map(decide));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.problem.code).toBe('case_closed');
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ verified: true });
  const acts = await logOf(site, waitingDoctor, 'action', 'details');
  expect(acts).toEqual([{ action: 'doctor.verify', details: { reason } }]);
  for (const act of Object.values(others)) {
    const { status } = await client.post(act, { reason: 'x' }, at(waitingDoctor));
    expect([act.path, status]).toEqual([act.path, 200]);
  }
});

test('a submitted employer is a case until accepted or merged', async ({ site, one, other }) => {
  const { add, accept, merge } = employerEndpoints;
  const [client, doctor] = [site.as(one), site.as(await site.doctor())];
  const { id: employer } = (await doctor.post(add, { name: 'Lakeside Two Hospital' })).body;
  const { id: case_id, kind } = await caseTitled(site, one, 'Lakeside Two Hospital');
  expect(kind).toBe('employer');
  const { file } = (await client.get(read, at(case_id))).body;
  expect(file).toMatchObject({ type: 'employer', candidates: [] });
  expect((await client.post(accept, { case_id }, at(employer))).status).toBe(200);
  const again = await site.as(other).post(accept, { case_id }, at(employer));
  expect(again.problem.code).toBe('case_closed');
  expect((await client.post(accept, {}, at(999_999))).status).toBe(404);

  const { id: third } = (await doctor.post(add, { name: 'Lakeside III' })).body;
  const open = await caseTitled(site, one, 'Lakeside III');
  const into = { into: employer, case_id: open.id };
  expect((await client.post(merge, into, at(third))).status).toBe(200);
  expect((await casesOf(site, one)).map(({ title }) => title)).not.toContain('Lakeside III');
});

test('names the next unclaimed case in the same filter', async ({ site, one, other, reported }) => {
  const { id = '' } = (await caseAbout(site, 'review_id', await reported('private_details'))) ?? {};
  await reported('private_details');
  const url = { ...at(id), query: { priority: 1 } };
  const next = async () => (await site.as(one).get(read, url)).body.next_id ?? '';
  const second = await next();
  expect(second).not.toBe(id);
  expect(second).not.toBe('');
  await site.as(other).post(claim, at(second));
  expect(await next()).not.toBe(second);
});
