import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { logIn, newMember, PASSWORD, refusalOf, send, statusOf } from '../testing/account-flows.ts';

const WRONG = {
  status: 401,
  code: 'invalid_credentials',
  detail: 'Incorrect email or password.',
};

test('signs in, whatever the case of the address', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const answer = await logIn(server, member.email.toUpperCase(), PASSWORD);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  const { access, refresh, user, doctor } = answer.json();
  expect(user).toMatchObject({ id: member.id, email: member.email, pending_email: null });
  expect(doctor).toMatchObject({ npi: member.npi, verified: false });
  expect(await statusOf(server, access)).toBe(200);
  expect(refresh).not.toBe(member.refresh);
  expect(await statusOf(server, member.access)).toBe(200);
});

test('rejects a wrong password and an unknown address alike', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const known = await logIn(server, member.email, 'Wrong-Stethoscope-1');
  const unknown = await logIn(server, newEmail(), PASSWORD);
  expect(refusalOf(known)).toEqual(WRONG);
  expect(refusalOf(unknown)).toEqual(WRONG);
  const bare = ({ request_id: _, ...problem }: Record<string, unknown>) => problem;
  expect(bare(known.json())).toEqual(bare(unknown.json()));
  expect(known.json().error).toBe(WRONG.detail);
});

test('rejects each invalid field with its text', async () => {
  await using server = await buildTestApp();
  for (const [payload, field, message] of [
    [{ password: PASSWORD }, 'email', 'Email is required'],
    [{ email: 'ada', password: PASSWORD }, 'email', 'Invalid email address'],
    [{ email: newEmail() }, 'password', 'Password is required'],
    [{ email: newEmail(), password: '' }, 'password', 'Password is required'],
    [{ email: newEmail(), password: 'x'.repeat(129) }, 'password', WRONG.detail],
    [{ email: newEmail(), password: PASSWORD, remember: true }, 'remember', 'Unknown field'],
  ] as const) {
    expect(refusalOf(await send(server, '/auth/login/', payload))).toEqual({
      status: 400,
      code: 'validation_error',
      detail: message,
      errors: { [field]: [message] },
    });
  }
});

test('an accent typed in two ways is the same password', async () => {
  await using server = await buildTestApp();
  const { email } = await newMember(server, { password: 'Caf\u00e9-Stethoscope-1' });
  expect((await logIn(server, email, 'Cafe\u0301-Stethoscope-1')).statusCode).toBe(200);
});

test('stops a stranger who guesses, and locks nobody out', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const { email } = await newMember(server);
  const stranger = '198.51.100.7';
  for (let guess = 0; guess < 6; guess += 1) {
    expect((await logIn(server, email, 'Wrong-Stethoscope-1', stranger)).statusCode).toBe(401);
  }
  const stopped = await logIn(server, email, PASSWORD, stranger);
  expect(stopped.statusCode).toBe(429);
  const seconds = Number(stopped.headers['retry-after']);
  expect(seconds).toBeGreaterThan(600);
  expect(refusalOf(stopped)).toEqual({
    status: 429,
    code: 'rate_limited',
    detail: `Rate limit exceeded. Please try again in ${seconds} seconds.`,
  });
  expect((await logIn(server, email, PASSWORD, '192.0.2.1')).statusCode).toBe(200);
});
