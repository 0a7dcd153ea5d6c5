import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import {
  lastMail,
  linkFor,
  logIn,
  NEW_PASSWORD,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';

const SENT = { message: 'Password reset email sent! Check your inbox.' };
const BAD_LINK = {
  status: 400,
  code: 'invalid_reset_link',
  detail: 'This password reset link is invalid or has expired. Please request a new one.',
};
const DAY_MS = 86_400_000;

const ask = (server: TestApp, email: string, from?: string) =>
  send(server, '/auth/password/reset/', { email }, from ? { from } : {});
const validate = ({ app }: TestApp, query: Record<string, string>) =>
  app.inject({ url: '/api/auth/password/reset/validate/', query });
const confirm = (server: TestApp, link: object, new_password = NEW_PASSWORD) =>
  send(server, '/auth/password/reset/confirm/', { ...link, new_password });

async function resetLink(server: TestApp, email: string) {
  expect((await ask(server, email)).json()).toEqual(SENT);
  return linkFor(server, email, '/password-reset');
}

test('the link from the mail sets a new password, once, and ends every session', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const link = await resetLink(server, member.email);
  expect(Object.keys(link)).toEqual(['token', 'uidb64']);
  expect((await validate(server, link)).statusCode).toBe(200);
  const done = await confirm(server, link);
  expect([done.statusCode, done.json()]).toEqual([
    200,
    { message: 'Password reset successfully! You can now login with your new password.' },
  ]);
  expect(await statusOf(server, member.access)).toBe(401);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(401);
  expect((await logIn(server, member.email, NEW_PASSWORD)).statusCode).toBe(200);
  expect((await lastMail(server, member.email)).text).toContain('Your password was changed');

  expect(refusalOf(await confirm(server, link))).toEqual(BAD_LINK);
  expect(refusalOf(await validate(server, link))).toEqual(BAD_LINK);
});

test('a known and an unknown address get the same answer; only the known one gets mail', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const sent = server.mail.length;
  const [known, unknown] = [await ask(server, member.email), await ask(server, newEmail())];
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body]);
  await server.jobs.idle();
  expect(server.mail.slice(sent).map(({ to }) => to)).toEqual([member.email]);
});

test('sends the mail to the address as the account spells it', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  await ask(server, member.email.toUpperCase());
  expect((await lastMail(server, member.email)).text).toContain('Choose a new password');
});

test('a link works for 24 hours', async () => {
  await using server = await buildTestApp();
  const { email } = await newMember(server);
  const link = await resetLink(server, email);
  server.time.now = new Date(server.time.now.getTime() + DAY_MS - 1);
  expect((await validate(server, link)).statusCode).toBe(200);
  server.time.now = new Date(server.time.now.getTime() + 1);
  expect(refusalOf(await validate(server, link))).toEqual(BAD_LINK);
  expect(refusalOf(await confirm(server, link))).toEqual(BAD_LINK);
});

test('of two simultaneous uses, one sets the password', async () => {
  await using server = await buildTestApp();
  const { email } = await newMember(server);
  const link = await resetLink(server, email);
  const passwords = ['First-Stethoscope-1', 'Second-Stethoscope-2'];
  const answers = await Promise.all(passwords.map((password) => confirm(server, link, password)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
  const won = passwords[answers.findIndex(({ statusCode }) => statusCode === 200)] ?? '';
  expect((await logIn(server, email, won)).statusCode).toBe(200);
});

test('a link works only for its own account, and until another one is used', async () => {
  await using server = await buildTestApp();
  const [one, other] = [await newMember(server), await newMember(server)];
  const [first, second] = [await resetLink(server, one.email), await resetLink(server, one.email)];
  const foreign = await resetLink(server, other.email);
  for (const link of [
    { ...first, uidb64: foreign.uidb64 },
    { ...first, token: foreign.token },
    { ...first, token: first.token.slice(1) },
    { token: 'x', uidb64: 'x' },
  ]) {
    expect(refusalOf(await confirm(server, link))).toEqual(BAD_LINK);
  }
  expect((await confirm(server, first)).statusCode).toBe(200);
  expect(refusalOf(await confirm(server, second))).toEqual(BAD_LINK);
  expect((await validate(server, foreign)).statusCode).toBe(200);
});

test('rejects each invalid field with its text', async () => {
  await using server = await buildTestApp();
  const { email } = await newMember(server);
  const link = await resetLink(server, email);
  for (const [password, message] of [
    ['', 'Password is required'],
    ['Abc-123', 'Password must be at least 8 characters long.'],
    ['abcdefg-1', 'Password must contain at least one uppercase letter'],
    ['P@ssw0rd', 'This password is too common. Please choose another.'],
    [`Aa-1${'x'.repeat(124)}`, 'Password must be under 128 characters'],
  ] as const) {
    const answer = await confirm(server, link, password);
    expect(refusalOf(answer)).toMatchObject({
      code: 'validation_error',
      errors: { new_password: [message] },
    });
    expect(answer.json().error).toBe(message);
  }
  for (const query of [{}, { token: '', uidb64: '' }, { token: 'x'.repeat(101), uidb64: 'x' }]) {
    const answer = await validate(server, query);
    expect([answer.statusCode, answer.json().error]).toEqual([400, BAD_LINK.detail]);
  }
  expect(refusalOf(await ask(server, ''))).toMatchObject({
    errors: { email: ['Email is required'] },
  });
  expect((await confirm(server, link)).statusCode).toBe(200);
});

test('an address gets three mails an hour, known or not; earlier links stay valid', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const member = await newMember(server);
  for (const email of [member.email, newEmail()]) {
    const statuses = [];
    for (let mail = 0; mail < 4; mail += 1) {
      statuses.push((await ask(server, email, `198.51.100.${mail}`)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  }
  const refused = await ask(server, member.email);
  expect(refused.json().detail).toBe(
    `Rate limit exceeded. Please try again in ${refused.headers['retry-after']} seconds.`,
  );
  // Even if a stranger requested them, the links are in the owner's mailbox.
  const link = await linkFor(server, member.email, '/password-reset');
  expect((await confirm(server, link)).statusCode).toBe(200);
});
