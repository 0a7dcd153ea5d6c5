import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import {
  codeFor,
  lastMail,
  linkFor,
  logIn,
  type Member,
  newDetails,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';

const DAY_MS = 86_400_000;
const BAD_LINK = {
  status: 400,
  code: 'invalid_email_link',
  detail: 'This link is invalid or has expired.',
};

const ask = (server: TestApp, { id, headers }: Member, email: string) =>
  send(server, `/users/${id}/`, { email }, { headers, method: 'PATCH' });
const confirm = (server: TestApp, link: object) => send(server, '/auth/email/confirm/', link);
const stop = (server: TestApp, link: object) => send(server, '/auth/email/stop/', link);
const profileOf = async ({ app }: TestApp, { headers }: Member) =>
  (await app.inject({ url: '/api/auth/user/', headers })).json();

test('a new address takes effect when its link is opened', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  const asked = await ask(server, member, email);
  expect([asked.statusCode, asked.json()]).toEqual([
    200,
    expect.objectContaining({ email: member.email, pending_email: email }),
  ]);
  expect(await profileOf(server, member)).toMatchObject({
    email: member.email,
    pending_email: email,
  });
  expect((await logIn(server, email, PASSWORD)).statusCode).toBe(401);

  const notice = await lastMail(server, member.email);
  expect(notice.text).toContain('Your email address is about to change');
  expect(notice.text).toContain('d***@mail.example');
  expect(notice.text).not.toContain(email);

  const link = await linkFor(server, email, '/confirm-email');
  const done = await confirm(server, link);
  expect([done.statusCode, done.json()]).toEqual([
    200,
    { message: 'Your email address has been changed.' },
  ]);
  expect(await profileOf(server, member)).toMatchObject({ email, pending_email: null });
  expect((await logIn(server, email, PASSWORD)).statusCode).toBe(200);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(401);
  expect(refusalOf(await confirm(server, link))).toEqual(BAD_LINK);
});

test('the link sent to the old address stops the change', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  await ask(server, member, email);
  const confirmLink = await linkFor(server, email, '/confirm-email');
  const stopLink = await linkFor(server, member.email, '/stop-email-change');
  expect(refusalOf(await confirm(server, stopLink))).toEqual(BAD_LINK);
  expect(refusalOf(await stop(server, confirmLink))).toEqual(BAD_LINK);

  const stopped = await stop(server, stopLink);
  expect([stopped.statusCode, stopped.json()]).toEqual([
    200,
    { message: 'The change has been stopped. Your email address stays as it is.' },
  ]);
  expect(refusalOf(await stop(server, stopLink))).toEqual(BAD_LINK);
  expect(refusalOf(await confirm(server, confirmLink))).toEqual(BAD_LINK);
  // Somebody with a session requested the change.
  expect(await statusOf(server, member.access)).toBe(401);
  const again = await logIn(server, member.email, PASSWORD);
  expect(again.json().user).toMatchObject({ email: member.email, pending_email: null });
});

test('until the change is confirmed, both links work for 24 hours', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  await ask(server, member, email);
  const confirmLink = await linkFor(server, email, '/confirm-email');
  const stopLink = await linkFor(server, member.email, '/stop-email-change');
  server.time.now = new Date(server.time.now.getTime() + DAY_MS);
  expect(refusalOf(await confirm(server, confirmLink))).toEqual(BAD_LINK);
  expect(refusalOf(await stop(server, stopLink))).toEqual(BAD_LINK);
  expect((await logIn(server, member.email, PASSWORD)).json().user.pending_email).toBeNull();
});

test('a newer change replaces the pending one', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const [first, second] = [newEmail(), newEmail()];
  await ask(server, member, first);
  await ask(server, member, second);
  const old = await linkFor(server, first, '/confirm-email');
  expect(refusalOf(await confirm(server, old))).toEqual(BAD_LINK);
  const link = await linkFor(server, second, '/confirm-email');
  const answers = await Promise.all([confirm(server, link), confirm(server, link)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
  expect((await profileOf(server, member)).email).toBe(second);
});

test('an address that has an account gets the same answer, and only its owner is notified', async () => {
  await using server = await buildTestApp();
  const [member, owner] = [await newMember(server), await newMember(server)];
  const free = await ask(server, await newMember(server), newEmail());
  const taken = await ask(server, member, owner.email);
  expect(taken.statusCode).toBe(free.statusCode);
  expect(Object.keys(taken.json())).toEqual(Object.keys(free.json()));
  expect(taken.json()).toMatchObject({ email: member.email, pending_email: owner.email });
  const told = await lastMail(server, owner.email);
  expect(told.text).toContain('You already have an account');
  expect(told.text).not.toContain('token=');
  expect((await lastMail(server, member.email)).text).toContain('is about to change');
});

test('an address that was taken in the meantime stays with its account', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const email = newEmail();
  await ask(server, member, email);
  const link = await linkFor(server, email, '/confirm-email');
  const details = newDetails({ email });
  await send(server, '/auth/register/', { action: 'create_account', ...details });
  const otp_code = await codeFor(server, email);
  const verify = { action: 'verify_otp', ...details, otp_code };
  expect((await send(server, '/auth/register/', verify)).statusCode).toBe(200);
  expect(refusalOf(await confirm(server, link))).toEqual(BAD_LINK);
  expect((await profileOf(server, member)).email).toBe(member.email);
});

test('the change invalidates reset links in the old mailbox', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await send(server, '/auth/password/reset/', { email: member.email });
  const query = await linkFor(server, member.email, '/password-reset');
  const email = newEmail();
  await ask(server, member, email);
  await confirm(server, await linkFor(server, email, '/confirm-email'));
  const url = '/api/auth/password/reset/validate/';
  expect((await server.app.inject({ url, query })).statusCode).toBe(400);
});

test('allows an account five changes an hour', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const member = await newMember(server);
  for (let change = 0; change < 5; change += 1) {
    expect((await ask(server, member, newEmail())).statusCode).toBe(200);
  }
  expect((await ask(server, member, newEmail())).statusCode).toBe(429);
  // Submitting the current address is not a change.
  expect((await ask(server, member, member.email)).statusCode).toBe(200);
});

test('rejects a link without a token like any invalid link', async () => {
  await using server = await buildTestApp();
  for (const link of [{}, { token: '' }, { token: 'x'.repeat(101) }]) {
    for (const answer of [await confirm(server, link), await stop(server, link)]) {
      expect([answer.statusCode, answer.json().error]).toEqual([400, BAD_LINK.detail]);
    }
  }
});
