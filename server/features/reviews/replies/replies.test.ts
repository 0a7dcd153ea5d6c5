import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RemovedReply, Reply } from '#contract/review-replies.ts';
import type { Review } from '#contract/reviews.ts';
import { PASSWORD, refusalOf } from '#server/features/accounts/testing/account-flows.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

let server: TestApp;
let admin: TestAccount;
beforeAll(async () => {
  server = await buildTestApp();
  admin = await signedInAdmin(server);
});
afterAll(() => server[Symbol.asyncDispose]());

type Sender = Pick<TestAccount, 'headers'>;

const call = (...request: ApiCall) => callApi(server, ...request);

async function reviewed() {
  const author = await signedInDoctor(server);
  const employer = await newEmployer(server);
  const review = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
  return {
    author,
    employer,
    id: review.id,
    speaker: await signedInRepresentative(server, employer),
  };
}

const write = (id: string, account: Sender, text = 'Thank you. Nights are staffed by two now.') =>
  call('POST', `/reviews/${id}/reply/`, account, { text });
const publicReply = async (id: string) =>
  (await call('GET', `/reviews/${id}/`)).json<Review>().reply;
const remove = (id: string) =>
  call('POST', `/admin/reviews/${id}/remove/`, admin, { reason: 'Not a review' });
const codeOf = async (answer: ReturnType<typeof call>) => refusalOf(await answer).code;

test('a representative replies once, and everyone reads it without a name', async () => {
  const { author, employer, id, speaker } = await reviewed();
  const answer = await write(id, speaker, '  Thank you.  ');
  expect(answer.statusCode, answer.body).toBe(201);
  const reply: Reply = {
    text: 'Thank you.',
    replied_on: server.time.now.toISOString().slice(0, 10),
  };
  expect(answer.json()).toEqual(reply);
  expect(await publicReply(id)).toEqual(reply);
  const listed = await call('GET', `/employers/${employer}/reviews/`);
  expect(listed.json<{ results: Review[] }>().results[0]?.reply).toEqual(reply);
  const own = (await call('GET', '/reviews/my_reviews/', author)).json<Review[]>();
  expect(own[0]?.reply).toEqual(reply);
  expect(listed.body).not.toMatch(/Rita|Speaks|Chief of staff/);
  expect(await codeOf(write(id, speaker))).toBe('reply_exists');
});

test('any representative of the employer can change and delete it', async () => {
  const { employer, id, speaker } = await reviewed();
  await write(id, speaker);
  const colleague = await signedInRepresentative(server, employer);
  const edited = await call('PATCH', `/reviews/${id}/reply/`, colleague, { text: 'Thanks.' });
  expect(edited.statusCode).toBe(200);
  expect((await publicReply(id))?.text).toBe('Thanks.');
  expect((await call('DELETE', `/reviews/${id}/reply/`, colleague)).statusCode).toBe(204);
  expect(await publicReply(id)).toBeUndefined();
  expect(await codeOf(call('DELETE', `/reviews/${id}/reply/`, colleague))).toBe('not_found');
  expect(await codeOf(call('PATCH', `/reviews/${id}/reply/`, speaker, { text: 'No.' }))).toBe(
    'not_found',
  );
  expect((await write(id, speaker)).statusCode).toBe(201);
});

test('screens the text like a review, and limits its length', async () => {
  const { id, speaker } = await reviewed();
  const answer = await write(
    id,
    speaker,
    'Please write to hr@stluke.example or call 555-867-5309.',
  );
  expect(refusalOf(answer)).toMatchObject({
    status: 400,
    code: 'identifying_text',
    detail: 'Please remove patient or contact details from your reply.',
    errors: { text: [expect.stringContaining('an email address'), expect.any(String)] },
  });
  const errors = async (text: unknown) =>
    refusalOf(await call('POST', `/reviews/${id}/reply/`, speaker, { text } as object)).errors;
  expect(await errors(' \u200b ')).toEqual({ text: ['Please write a reply'] });
  expect(await errors('x'.repeat(2001))).toEqual({ text: ['Must be at most 2000 characters'] });
  expect((await write(id, speaker, 'x'.repeat(2000))).statusCode).toBe(201);
});

test('a hidden review, a deleted one, and another employer’s look the same', async () => {
  const { author, id, speaker } = await reviewed();
  const other = await reviewed();
  await remove(id);
  const answers = async (reviewId: string) => {
    const told = [];
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      const answer = await call(method, `/reviews/${reviewId}/reply/`, speaker, {
        ...(method !== 'DELETE' && { text: 'Thank you.' }),
      });
      const { request_id: _, ...problem } = answer.json();
      told.push(problem);
    }
    return told;
  };
  const hidden = await answers(id);
  expect(hidden.map(({ code }) => code)).toEqual(Array(3).fill('not_found'));
  await call('DELETE', `/reviews/${id}/`, author);
  expect(await answers(id)).toEqual(hidden);
  expect(await answers(other.id)).toEqual(hidden);
  expect(await answers(crypto.randomUUID())).toEqual(hidden);
});

test('only an approved representative can reply, and can write nothing else', async () => {
  const { author, employer, id, speaker } = await reviewed();
  const pending = await signedInRepresentative(server, employer, { state: 'pending' });
  const refused = await signedInRepresentative(server, employer, { state: 'refused' });
  for (const account of [author, pending, refused, admin]) {
    expect(await codeOf(write(id, account))).toBe('not_representative');
  }
  const refusals = [
    call('POST', '/reviews/', speaker, reviewOf(employer)),
    call('PATCH', `/reviews/${id}/`, speaker, {}),
    call('GET', '/reviews/my_reviews/', speaker),
    call('POST', `/reviews/${id}/helpful/`, speaker),
    call('DELETE', `/reviews/${id}/not-helpful/`, speaker),
    call('POST', `/reviews/${id}/report/`, speaker, { reason: 'abusive' }),
    call('POST', `/reviews/${id}/reply/report/`, speaker, { reason: 'abusive' }),
    call('POST', '/employers/custom/', speaker, { name: 'Elsewhere Clinic' }),
  ];
  for (const answer of refusals) expect(await codeOf(answer)).toBe('representative_account');
  expect(await codeOf(call('GET', '/admin/cases/', speaker))).toBe('permission_denied');
  expect((await call('GET', '/doctors/me/', speaker)).statusCode).toBe(404);
});

test('of two simultaneous replies, one is stored', async () => {
  const { employer, id, speaker } = await reviewed();
  const colleague = await signedInRepresentative(server, employer);
  const answers = await Promise.all([write(id, speaker, 'One'), write(id, colleague, 'Two')]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
  const stood = answers.find(({ statusCode }) => statusCode === 201)?.json<Reply>();
  expect(await publicReply(id)).toEqual(stood);
});

test('a reply while the review is being removed is either stored or rejected', async () => {
  const { id, speaker } = await reviewed();
  const [written, removed] = await Promise.all([write(id, speaker), remove(id)]);
  expect(removed.statusCode).toBe(200);
  expect([201, 404]).toContain(written.statusCode);
  expect((await call('GET', `/reviews/${id}/`)).statusCode).toBe(404);
  const rows = server.deps.db.selectFrom('review_replies').select('text');
  const stored = await rows.where('review_id', '=', id).execute();
  expect(stored).toHaveLength(written.statusCode === 201 ? 1 : 0);
});

test('a reply disappears with its review, and returns with it', async () => {
  const { author, id, speaker } = await reviewed();
  await write(id, speaker);
  await remove(id);
  expect((await call('GET', `/reviews/${id}/`)).statusCode).toBe(404);
  await call('POST', `/admin/reviews/${id}/restore/`, admin, {});
  expect(await publicReply(id)).toMatchObject({ text: expect.stringContaining('Nights') });
  await call('DELETE', `/reviews/${id}/`, author);
  const rows = server.deps.db.selectFrom('review_replies').select('text');
  expect(await rows.where('review_id', '=', id).execute()).toEqual([]);
});

test('follows merges, and undoing a merge hides what the other employer wrote', async () => {
  const [from, into] = [await reviewed(), await reviewed()];
  const { db, cache } = server.deps;
  await write(from.id, from.speaker, 'Before.');
  const merge = `/admin/employers/${from.employer}/merge/`;
  expect((await call('POST', merge, admin, { into: into.employer })).statusCode).toBe(200);
  expect((await publicReply(from.id))?.text).toBe('Before.');
  // Nobody approved for one employer speaks for another unchecked.
  const early = await call('PATCH', `/reviews/${from.id}/reply/`, from.speaker, { text: 'Mine.' });
  expect([early.statusCode, early.json().code]).toEqual([403, 'not_representative']);
  const approve = `/admin/representatives/${from.speaker.userId}/approve/`;
  const { id: case_id } = await db
    .selectFrom('cases')
    .select('id')
    .where('account_id', '=', from.speaker.userId)
    .executeTakeFirstOrThrow();
  const reason = 'Works at both.';
  expect((await call('POST', approve, admin, { reason, case_id })).statusCode).toBe(200);
  for (const { speaker } of [from, into]) {
    const text = 'Of one house now.';
    const edited = await call('PATCH', `/reviews/${from.id}/reply/`, speaker, { text });
    expect(edited.statusCode).toBe(200);
  }
  await call('DELETE', `/reviews/${from.id}/reply/`, into.speaker);
  await write(from.id, into.speaker, 'Not of this house.');
  await db
    .updateTable('employers')
    .set({ merged_into: null })
    .where('id', '=', from.employer)
    .execute();
  await db
    .updateTable('reviews')
    .set({ employer_id: from.employer, merged_from: null })
    .where('id', '=', from.id)
    .execute();
  cache.changed(['reviews', 'employers']);
  expect(await publicReply(from.id)).toBeUndefined();
  expect((await write(from.id, from.speaker, 'Ours again.')).statusCode).toBe(201);
});

test('a reply stays when its writer leaves, and is deleted when the writer turns out to be an impostor', async () => {
  const { employer, id, speaker } = await reviewed();
  const leaver = await signedInRepresentative(server, employer, { password: PASSWORD });
  await write(id, leaver, 'I leave, it stays.');
  const leaving = { password: PASSWORD, reviews: 'delete' };
  expect((await call('POST', '/auth/delete-account/', leaver, leaving)).statusCode).toBe(200);
  expect((await publicReply(id))?.text).toBe('I leave, it stays.');
  await call('PATCH', `/reviews/${id}/reply/`, speaker, { text: 'From an impostor.' });
  const refuse = `/admin/representatives/${speaker.userId}/refuse/`;
  await call('POST', refuse, admin, { reason: 'Never worked there.' });
  expect(await publicReply(id)).toBeUndefined();
  expect(await codeOf(write(id, speaker))).toBe('not_representative');
});

test('removed replies are listed while their review is public', async () => {
  const { id, speaker } = await reviewed();
  await write(id, speaker, 'Who are you?');
  const decision = { reason: 'Asks who wrote it.', rule: 'asking_who' };
  await call('POST', `/admin/replies/${id}/remove/`, admin, decision);
  const listed = async () =>
    (await call('GET', '/reviews/replies/removed/', speaker)).json<RemovedReply[]>();
  expect(await listed()).toEqual([
    {
      review_id: id,
      text: 'Who are you?',
      rule: 'asking_who',
      reason: 'Asks who wrote it.',
      decided_on: server.time.now.toISOString().slice(0, 10),
    },
  ]);
  expect(await publicReply(id)).toBeUndefined();
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    const body = method === 'DELETE' ? undefined : { text: 'Again.' };
    expect(await codeOf(call(method, `/reviews/${id}/reply/`, speaker, body))).toBe(
      'reply_removed',
    );
  }
  await remove(id);
  expect(await listed()).toEqual([]);
});
