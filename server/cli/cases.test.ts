import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { ReportRequest } from '#contract/review-feedback.ts';
import { isPublic } from '#server/features/reviews/testing/moderation.ts';
import { newDoctor, type TestAccount } from '#server/testing/factories.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';

/** Each test begins without cases. Nobody is on the staff. */
const test = testWith()
  .extend('run', async ({ site }) => {
    await site.deps.db.deleteFrom('cases').execute();
    return (...args: string[]) => curbside(site, args);
  })
  .extend('author', ({ site }) => site.doctor());

type Reason = ReportRequest['reason'];
async function reported(site: Site, by: TestAccount, reason: Reason = 'abusive') {
  const { id } = await site.review({ by, review_text: 'Calm wards.' });
  const reader = site.as(await site.doctor({}));
  await reader.post(feedbackEndpoints.report, { reason, note: 'Look.' }, at(id));
  return id;
}
const caseOf = async (site: Site, id: string) => (await site.rows('cases', { review_id: id }))[0];
const decisionOf = async (site: Site, author: TestAccount, id: string) => {
  const own = (await site.as(author).get(reviewEndpoints.listOwn)).body;
  return own.find((review) => review.id === id)?.decision;
};

test('lists open cases of every kind by urgency, and shows one', async ({ site, run, author }) => {
  const low = await reported(site, author, 'off_topic');
  const urgent = await reported(site, author, 'private_details');
  const all = (await run('cases', 'list')).output;
  expect(all.indexOf('High')).toBeLessThan(all.indexOf('Low'));
  expect((await run('cases', 'list', '--kind', 'doctor')).output).not.toContain('Reported review');
  const { id = '' } = (await caseOf(site, urgent)) ?? {};
  const { output } = await run('cases', 'show', id);
  for (const text of [`review ${urgent}`, 'Calm wards.', 'private_details Look.']) {
    expect(output).toContain(text);
  }
  expect(output).toContain(`Decide with: curbside reviews keep|remove|hold|restore ${urgent}`);
  expect(output).not.toContain(author.email);
  await run('reviews', 'keep', low);
  await run('reviews', 'keep', urgent);
  expect(await caseOf(site, low)).toBeUndefined();
});

test('removes, restores, and holds a review, with rule and text', async ({ site, run, author }) => {
  const id = await reported(site, author);
  const page = `https://curbside.example/reviews/${id}/`;
  const grounds = ['--reason', 'Names a nurse.', '--rule', 'abuse'];
  const removed = await run('reviews', 'remove', page, ...grounds);
  expect(removed).toEqual({ code: 0, output: `${id}: Removed.\n`, errors: '' });
  expect(await isPublic(site, id)).toBe(false);
  const decision = { outcome: 'remove', rule: 'abuse', note: 'Names a nurse.', source: 'report' };
  expect(await decisionOf(site, author, id)).toMatchObject(decision);
  expect(await caseOf(site, id)).toBeUndefined();
  await run('reviews', 'restore', id, '--note', 'Our mistake.');
  expect(await isPublic(site, id)).toBe(true);
  await run('reviews', 'hold', id, '--reason', 'Leave out the name.');
  expect(await decisionOf(site, author, id)).toMatchObject({ outcome: 'hold', may_edit: true });
});

test('answers an appeal, even against a decision by command', async ({ site, run, author }) => {
  const id = await reported(site, author);
  await run('reviews', 'remove', id, '--reason', 'Off topic.');
  const text = 'It is about the work.';
  await site.as(author).post(reviewEndpoints.appeal, { text }, at(id));
  const { id: caseId = '' } = (await caseOf(site, id)) ?? {};
  const { output } = await run('cases', 'show', caseId);
  expect(output).toContain('appeal: It is about the work.');
  expect((await run('reviews', 'keep', id)).errors).toMatch(/appeal/i);
  expect((await run('reviews', 'overturn', id, '--answer', 'You are right.')).code).toBe(0);
  expect(await isPublic(site, id)).toBe(true);
});

test('decides about submitted employers and about doctors', async ({ site, run, author }) => {
  const added = await site.as(author).post(employerEndpoints.add, { name: 'Fernhill Clinic' });
  const { id } = added.body;
  expect((await run('cases', 'list', '--kind', 'employer')).output).toContain('Fernhill Clinic');
  const accepted = await run('employers', 'accept', String(id));
  expect(accepted.output).toBe(`${id} Fernhill Clinic stays.\n`);
  expect((await run('cases', 'list')).output).not.toContain('Fernhill Clinic');

  const { id: account_id, npi } = await newDoctor(site, { last_name: 'Evicted' });
  const eviction = { kind: 'eviction', account_id, priority: 2, opened_on: '2026-11-16' };
  await site.deps.db.insertInto('cases').values(eviction).execute();
  expect((await run('cases', 'list')).output).toContain('Ada Evicted');
  const dismissed = await run('doctors', 'dismiss', npi);
  expect(dismissed.output).toBe('The case of Dr. Ada Evicted is closed.\n');
  expect((await run('cases', 'list')).output).toBe('No cases are waiting.\n');
});

test('decides about a reply, and shows its text and state', async ({ site, run, author }) => {
  const { id, employer } = await site.review();
  const speaker = site.as(await site.representative(employer.id));
  await speaker.post(replyEndpoints.create, { text: 'Who are you?' }, at(id));
  await site.as(author).post(replyEndpoints.report, { reason: 'abusive', note: '' }, at(id));
  const show = async () => (await run('cases', 'show', (await caseOf(site, id))?.id ?? '')).output;
  const [, command = ''] = (await show()).match(/keep-reply\|remove-reply (.+)/) ?? [];
  expect(command).toMatch(new RegExp(`^${id} --read \\S+$`));
  await speaker.patch(replyEndpoints.edit, { text: 'Who are you, then?' }, at(id));
  const remove = (given: string) =>
    run('reviews', 'remove-reply', ...given.split(' '), '--reason', 'Asks who wrote it.');
  expect((await remove(command)).errors).toContain('has changed since');
  await speaker.delete(replyEndpoints.delete, at(id));
  expect(await show()).toContain(`reply to review ${id}, deleted by its employer`);
  const [, latest = ''] = (await show()).match(/remove-reply (.+)/) ?? [];
  expect((await remove(latest)).output).toBe(`${id}: the reply is removed.\n`);
});

test('decides about corrections of an employer', async ({ site, run, author }) => {
  const employer = await site.employer({ city: 'Springfield' });
  const correct = (field: 'city' | 'zip', value: string) =>
    site
      .as(author)
      .post(employerEndpoints.correct, { field, value, source: 'Its website' }, at(employer));
  expect((await correct('city', 'Salem')).status).toBe(200);
  await correct('zip', '62704');
  const kind = ['cases', 'list', '--kind', 'correction'];
  const [id = ''] = (await run(...kind)).output.split(' ');
  expect((await run('cases', 'show', id)).output).toContain('city: Springfield → Salem');
  const by = ['--reason', 'The website says so.'];
  const accept = ['employers', 'accept-correction', String(employer), 'city'];
  // A value that the operator has not seen.
  expect((await run(...accept, 'Salina', ...by)).errors).toContain('has changed since');
  const accepted = await run(...accept, 'Salem', ...by);
  expect(accepted.output).toContain('city changed');
  await run('employers', 'refuse-correction', String(employer), 'zip', '62704', ...by);
  const { body } = await site.visitor().get(employerEndpoints.read, at(employer));
  expect(body).toMatchObject({ city: 'Salem' });
  expect((await run(...kind)).output).toBe('No cases are waiting.\n');
});

/** What nothing has. */
const NONE = crypto.randomUUID();

test.for([
  [['cases', 'list', '--kind', 'gossip'], 'a kind is one of'],
  [['reviews', 'keep-reply', NONE], 'there is no such review'],
  [['reviews', 'remove-reply', NONE], '--reason'],
  [['employers', 'accept-correction', '999999', 'beds', '7', '--reason', 'x'], 'no such employer'],
  [['cases', 'show', '7'], '7 is not the id of a case'],
  [['reviews', 'keep', 'x'], 'x is not the id or the URL of a review'],
  [['reviews', 'keep', NONE], 'there is no such review'],
  [['reviews', 'remove', NONE], '--reason'],
  [['reviews', 'hold', NONE, '--reason', ' '], 'must not be empty'],
  [['reviews', 'keep', NONE, '--rule', 'mood'], '--rule'],
  [['reviews', 'uphold', NONE], '--answer'],
  [['employers', 'accept', '999999'], 'there is no such employer'],
] as const)('explains in one line why %j fails', async ([args, message], { run }) => {
  const { code, errors } = await run(...args);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});
