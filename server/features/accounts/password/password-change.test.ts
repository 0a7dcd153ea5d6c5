import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  lastMail,
  linkFor,
  logIn,
  type Member,
  NEW_PASSWORD,
  newMember,
  PASSWORD,
  refusalOf,
  send,
  statusOf,
} from '../testing/account-flows.ts';

const change = (
  server: TestApp,
  { headers }: Pick<Member, 'headers'>,
  current_password = PASSWORD,
  new_password = NEW_PASSWORD,
) => send(server, '/auth/password/change/', { current_password, new_password }, { headers });

test('ends every other session, and says so', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const elsewhere = (await logIn(server, member.email, PASSWORD)).json();
  const answer = await change(server, member);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      message:
        'Your password has been changed. You stay signed in here; all other sessions have been signed out.',
    },
  ]);
  expect(await statusOf(server, member.access)).toBe(200);
  expect(await statusOf(server, elsewhere.access)).toBe(401);
  const refreshed = await send(server, '/auth/token/refresh/', { refresh: elsewhere.refresh });
  expect(refreshed.statusCode).toBe(401);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(401);
  expect((await logIn(server, member.email, NEW_PASSWORD)).statusCode).toBe(200);
  expect((await lastMail(server, member.email)).text).toContain('Your password was changed');
});

test('invalidates pending reset links and a pending email change', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const { id, email, headers } = member;
  await send(server, '/auth/password/reset/', { email });
  const reset = await linkFor(server, email, '/password-reset');
  await send(
    server,
    `/users/${id}/`,
    { email: 'thief@mail.example' },
    { headers, method: 'PATCH' },
  );
  const confirm = await linkFor(server, 'thief@mail.example', '/confirm-email');
  await change(server, member);

  const payload = { ...reset, new_password: 'Third-Stethoscope-3' };
  expect((await send(server, '/auth/password/reset/confirm/', payload)).statusCode).toBe(400);
  expect((await send(server, '/auth/email/confirm/', confirm)).statusCode).toBe(400);
});

test('rejects invalid input with its text', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  for (const [current, next, field, message] of [
    ['Wrong-Stethoscope-1', NEW_PASSWORD, 'current_password', 'Incorrect password.'],
    ['', NEW_PASSWORD, 'current_password', 'Password is required'],
    ['x'.repeat(129), NEW_PASSWORD, 'current_password', 'Incorrect password.'],
    [PASSWORD, 'Abc-123', 'new_password', 'Password must be at least 8 characters'],
    [PASSWORD, 'P@ssw0rd', 'new_password', 'This password is too common. Please choose another.'],
  ] as const) {
    expect(refusalOf(await change(server, member, current, next))).toEqual({
      status: 400,
      code: 'validation_error',
      detail: message,
      errors: { [field]: [message] },
    });
  }
  expect((await change(server, { headers: { authorization: '' } })).statusCode).toBe(401);
  expect((await logIn(server, member.email, PASSWORD)).statusCode).toBe(200);
});

test('of two simultaneous changes, one succeeds', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const passwords = ['First-Stethoscope-1', 'Second-Stethoscope-2'];
  const answers = await Promise.all(
    passwords.map((password) => change(server, member, PASSWORD, password)),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
});

test('a login with the old password does not outlive the change', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const [changed, ...logins] = await Promise.all([
    change(server, member),
    ...Array.from({ length: 8 }, () => logIn(server, member.email, PASSWORD)),
  ]);
  expect(changed?.statusCode).toBe(200);
  for (const login of logins) {
    if (login.statusCode !== 200) continue;
    expect(await statusOf(server, login.json().access)).toBe(401);
  }
});

test('a session allows ten guesses in 15 minutes', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const member = await newMember(server);
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await change(server, member, 'Wrong-Stethoscope-1')).statusCode).toBe(400);
  }
  expect((await change(server, member)).statusCode).toBe(429);
});
