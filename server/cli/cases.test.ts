import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { OwnReviews, Review } from '#contract/reviews.ts';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { replyScene } from '#server/features/reviews/replies/testing/replied-review.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmail,
  newEmployer,
  newNpi,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

let server: TestApp;
let author: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  author = await signedInDoctor(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (url: string, { headers }: TestAccount, payload: object) =>
  server.app.inject({ method: 'POST', url: `/api${url}`, headers, payload });
const run = (...args: string[]) => curbside(server, args);

async function reported(reason = 'abusive'): Promise<string> {
  const review = reviewOf(await newEmployer(server), { review_text: 'Calm wards.' });
  const { id } = (await send('/reviews/', author, review)).json<Review>();
  await send(`/reviews/${id}/report/`, await signedInDoctor(server, {}), { reason, note: 'Look.' });
  return id;
}
const isPublic = async (id: string) =>
  (await server.app.inject(`/api/reviews/${id}/`)).statusCode === 200;
const caseOf = async (id: string) =>
  server.deps.db.selectFrom('cases').select('id').where('review_id', '=', id).executeTakeFirst();
const decisionOf = async (id: string) => {
  const url = '/api/reviews/my_reviews/';
  const own = await server.app.inject({ url, headers: author.headers });
  return own.json<z.infer<typeof OwnReviews>>().find((review) => review.id === id)?.decision;
};

test('lists the open cases of every kind, most urgent first, and shows one', async () => {
  const low = await reported('off_topic');
  const urgent = await reported('private_details');
  const all = (await run('cases', 'list')).output;
  expect(all.indexOf('High')).toBeLessThan(all.indexOf('Low'));
  expect((await run('cases', 'list', '--kind', 'doctor')).output).not.toContain('Reported review');
  const { id = '' } = (await caseOf(urgent)) ?? {};
  const { output } = await run('cases', 'show', id);
  for (const text of [`review ${urgent}`, 'Calm wards.', 'private_details Look.']) {
    expect(output).toContain(text);
  }
  expect(output).toContain(`Decide with: curbside reviews keep|remove|hold|restore ${urgent}`);
  expect(output).not.toContain(author.email);
  await run('reviews', 'keep', low);
  await run('reviews', 'keep', urgent);
  expect(await caseOf(low)).toBeUndefined();
});

test('removes, restores, and holds a review, with a rule and a text for its author', async () => {
  const id = await reported();
  const page = `https://curbside.example/reviews/${id}/`;
  const removed = await run(
    'reviews',
    'remove',
    page,
    '--reason',
    'Names a nurse.',
    '--rule',
    'abuse',
  );
  expect(removed).toEqual({ code: 0, output: `${id}: Removed.\n`, errors: '' });
  expect(await isPublic(id)).toBe(false);
  expect(await decisionOf(id)).toMatchObject({
    outcome: 'remove',
    rule: 'abuse',
    note: 'Names a nurse.',
    source: 'report',
  });
  expect(await caseOf(id)).toBeUndefined();
  await run('reviews', 'restore', id, '--note', 'Our mistake.');
  expect(await isPublic(id)).toBe(true);
  await run('reviews', 'hold', id, '--reason', 'Leave out the name.');
  expect(await decisionOf(id)).toMatchObject({ outcome: 'hold', may_edit: true });
});

test('answers an appeal, even against a decision by command', async () => {
  const id = await reported();
  await run('reviews', 'remove', id, '--reason', 'Off topic.');
  await send(`/reviews/${id}/appeal/`, author, { text: 'It is about the work.' });
  const { id: caseId = '' } = (await caseOf(id)) ?? {};
  const { output } = await run('cases', 'show', caseId);
  expect(output).toContain('appeal: It is about the work.');
  expect((await run('reviews', 'keep', id)).errors).toMatch(/appeal/i);
  expect((await run('reviews', 'overturn', id, '--answer', 'You are right.')).code).toBe(0);
  expect(await isPublic(id)).toBe(true);
});

test('decides about submitted employers and about doctors', async () => {
  const added = await send('/employers/custom/', author, { name: 'Fernhill Clinic' });
  const { id } = added.json<{ id: number }>();
  expect((await run('cases', 'list', '--kind', 'employer')).output).toContain('Fernhill Clinic');
  expect((await run('employers', 'accept', String(id))).output).toBe(
    `${id} Fernhill Clinic stays.\n`,
  );
  expect((await run('cases', 'list')).output).not.toContain('Fernhill Clinic');

  const { db } = server.deps;
  const npi = newNpi();
  const details = { email: newEmail(), npi, first_name: 'Ada', last_name: 'Evicted' };
  const account = await addDoctor(server.deps, { ...details, password: null, profile: {} });
  const about = { account_id: account, priority: 2, opened_on: '2026-11-16' };
  await db
    .insertInto('cases')
    .values({ kind: 'eviction', ...about })
    .execute();
  expect((await run('cases', 'list')).output).toContain('Ada Evicted');
  expect((await run('doctors', 'dismiss', npi)).output).toBe(
    'The case of Dr. Ada Evicted is closed.\n',
  );
  expect((await run('cases', 'list')).output).toBe('No cases are waiting.\n');
});

test('decides about a reply, and shows its text and state', async () => {
  const scene = await replyScene(server);
  const { id, speaker } = await scene.reviewed();
  await scene.write(id, speaker, 'Who are you?');
  await scene.report(id, author);
  const show = async () => (await run('cases', 'show', (await caseOf(id))?.id ?? '')).output;
  const [, command = ''] = (await show()).match(/keep-reply\|remove-reply (.+)/) ?? [];
  expect(command).toMatch(new RegExp(`^${id} --read \\S+$`));
  await scene.edit(id, speaker, 'Who are you, then?');
  const remove = (given: string) =>
    run('reviews', 'remove-reply', ...given.split(' '), '--reason', 'Asks who wrote it.');
  expect((await remove(command)).errors).toContain('has changed since');
  await scene.drop(id, speaker);
  expect(await show()).toContain(`reply to review ${id}, deleted by its employer`);
  const [, latest = ''] = (await show()).match(/remove-reply (.+)/) ?? [];
  expect((await remove(latest)).output).toBe(`${id}: the reply is removed.\n`);
});

test('decides about corrections of an employer', async () => {
  const employer = await newEmployer(server, { city: 'Springfield' });
  const correct = async (field: string, value: string) =>
    send(`/employers/${employer}/corrections/`, author, { field, value, source: 'Its website' });
  expect((await correct('city', 'Salem')).statusCode).toBe(200);
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
  expect((await server.app.inject(`/api/employers/${employer}/`)).json()).toMatchObject({
    city: 'Salem',
  });
  expect((await run(...kind)).output).toBe('No cases are waiting.\n');
});

test.each([
  [['cases', 'list', '--kind', 'gossip'], 'a kind is one of'],
  [['reviews', 'keep-reply', crypto.randomUUID()], 'there is no such review'],
  [['reviews', 'remove-reply', crypto.randomUUID()], '--reason'],
  [['employers', 'accept-correction', '999999', 'beds', '7', '--reason', 'x'], 'no such employer'],
  [['cases', 'show', '7'], '7 is not the id of a case'],
  [['reviews', 'keep', 'x'], 'x is not the id or the URL of a review'],
  [['reviews', 'keep', crypto.randomUUID()], 'there is no such review'],
  [['reviews', 'remove', crypto.randomUUID()], '--reason'],
  [['reviews', 'hold', crypto.randomUUID(), '--reason', ' '], 'must not be empty'],
  [['reviews', 'keep', crypto.randomUUID(), '--rule', 'mood'], '--rule'],
  [['reviews', 'uphold', crypto.randomUUID()], '--answer'],
  [['employers', 'accept', '999999'], 'there is no such employer'],
])('explains in one line why %j fails', async (args, message) => {
  const { code, errors } = await run(...args);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});
