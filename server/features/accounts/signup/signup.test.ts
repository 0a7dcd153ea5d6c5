import { expect, test } from 'vitest';
import type { SignupDetails } from '#contract/accounts.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import {
  codeFor,
  lastMail,
  newDetails,
  newMember,
  refusalOf,
  send,
} from '../testing/account-flows.ts';

const register = (server: TestApp, payload: object) => send(server, '/auth/register/', payload);
const create = (server: TestApp, details: SignupDetails) =>
  register(server, { action: 'create_account', ...details });
const verify = (server: TestApp, details: SignupDetails, otp_code: string) =>
  register(server, { action: 'verify_otp', ...details, otp_code });

const WRONG_CODE = {
  status: 400,
  code: 'invalid_code',
  detail: 'Invalid or expired verification code.',
};
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('creates nothing before the code is entered, then signs in', async () => {
  await using server = await buildTestApp();
  const details = newDetails();
  const created = await create(server, details);
  expect(created.statusCode).toBe(200);
  expect(created.json()).toEqual({ message: 'Verification code sent to your email address' });
  expect(await server.deps.db.selectFrom('users').selectAll().execute()).toEqual([]);

  const verified = await verify(server, details, await codeFor(server, details.email));
  expect(verified.statusCode).toBe(200);
  expect(verified.headers['cache-control']).toBe('no-store');
  expect(verified.json()).toMatchObject({
    message: 'Your account has been created.',
    access: expect.any(String),
    refresh: expect.any(String),
    user: { email: details.email, first_name: 'Ada', pending_email: null, is_admin: false },
    doctor: {
      npi: details.npi,
      verified: false,
      can_post_reviews: false,
      created_at: server.time.now.toISOString().slice(0, 10),
      verification: { status: 'pending' },
    },
  });
});

const FAULTS: [field: string, value: unknown, ...messages: string[]][] = [
  ['email', undefined, 'Email is required'],
  ['email', '  ', 'Email is required'],
  ['email', 'ada@', 'Invalid email address'],
  ['first_name', '', 'First name is required'],
  ['last_name', ' ', 'Last name is required'],
  ['npi', '', 'NPI Number is required'],
  ['npi', '123456789', 'NPI must be exactly 10 digits'],
  ['npi', '12345678901', 'NPI must be exactly 10 digits'],
  ['npi', '1234567890', 'Please enter a valid NPI number'],
  ['password', '', 'Password is required'],
  ['password', 'Abc-123', 'Password must be at least 8 characters'],
  ['password', 'abcdefg-1', 'Password must contain at least one uppercase letter'],
  ['password', 'ABCDEFG-1', 'Password must contain at least one lowercase letter'],
  ['password', 'Abcdefg-h', 'Password must contain at least one number'],
  ['password', 'Abcdefgh1', 'Password must contain at least one special character'],
  ['password', `Aa-1${'x'.repeat(124)}`, 'Password must be under 128 characters'],
  ['password', 'P@ssw0rd', 'This password is too common. Please choose another.'],
  [
    'password',
    'short',
    'Password must be at least 8 characters',
    'Password must contain at least one uppercase letter',
    'Password must contain at least one number',
    'Password must contain at least one special character',
  ],
  ['username', 'ada', 'Unknown field'],
];

test('rejects each invalid field with its text', async () => {
  await using server = await buildTestApp();
  for (const [field, value, ...messages] of FAULTS) {
    for (const action of ['create_account', 'verify_otp']) {
      const code = action === 'verify_otp' ? { otp_code: '123456' } : {};
      const answer = await register(server, { action, ...newDetails(), ...code, [field]: value });
      expect(refusalOf(answer), `${field}: ${value}`).toEqual({
        status: 400,
        code: 'validation_error',
        detail: messages[0],
        errors: { [field]: messages },
      });
      expect(answer.json().error).toBe(messages[0]);
    }
  }
  await server.jobs.idle();
  expect(server.mail).toEqual([]);
});

test('rejects an invalid code and an unknown action', async () => {
  await using server = await buildTestApp();
  const cases: [payload: object, field: string, message: string][] = [
    [{ action: 'verify_otp', ...newDetails() }, 'otp_code', 'Verification code is required'],
    [
      { action: 'verify_otp', ...newDetails(), otp_code: '12345' },
      'otp_code',
      'Please enter a valid 6-digit code',
    ],
    [{ action: 'resend_otp' }, 'email', 'Email is required'],
    [{ action: 'resend_otp', email: newEmail(), npi: '1' }, 'npi', 'Unknown field'],
    [{}, 'action', "Action must be 'create_account', 'verify_otp' or 'resend_otp'"],
  ];
  for (const [payload, field, message] of cases) {
    expect(refusalOf(await register(server, payload))).toMatchObject({
      status: 400,
      errors: { [field]: [message] },
    });
  }
});

test('sends a new code on request, which replaces the previous one', async () => {
  await using server = await buildTestApp();
  const details = newDetails();
  await create(server, details);
  const first = await codeFor(server, details.email);
  const resent = await register(server, { action: 'resend_otp', email: details.email });
  expect(resent.json()).toEqual({ message: 'New verification code sent to your email' });
  const second = await codeFor(server, details.email);
  if (first !== second) {
    expect(refusalOf(await verify(server, details, first))).toEqual(WRONG_CODE);
  }
  expect((await verify(server, details, second)).statusCode).toBe(200);
  expect(refusalOf(await verify(server, details, second))).toEqual(WRONG_CODE);
});

test('a code works for ten minutes', async () => {
  await using server = await buildTestApp();
  const details = newDetails();
  await create(server, details);
  const code = await codeFor(server, details.email);
  server.time.now = new Date(server.time.now.getTime() + 10 * 60_000);
  expect(refusalOf(await verify(server, details, code))).toEqual(WRONG_CODE);
});

test('a code allows only five attempts, so guessing fails', async () => {
  await using server = await buildTestApp();
  const details = newDetails();
  await create(server, details);
  const code = await codeFor(server, details.email);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(refusalOf(await verify(server, details, wrong(code)))).toEqual(WRONG_CODE);
  }
  // Simultaneous guesses, one of them correct.
  const nearby = Array.from({ length: 20 }, (_, index) =>
    String((Number(code) + index) % 1_000_000).padStart(6, '0'),
  );
  const answers = await Promise.all(nearby.map((guess) => verify(server, details, guess)));
  for (const answer of answers) expect(refusalOf(answer)).toEqual(WRONG_CODE);
  expect(await server.deps.db.selectFrom('users').selectAll().execute()).toEqual([]);
});

test('twenty simultaneous guesses count as five attempts', async () => {
  await using server = await buildTestApp();
  const details = newDetails();
  await create(server, details);
  const code = await codeFor(server, details.email);
  await Promise.all(Array.from({ length: 20 }, () => verify(server, details, wrong(code))));
  const [stored] = await server.deps.db.selectFrom('one_time_codes').select('attempts').execute();
  expect(stored).toEqual({ attempts: 5 });
  expect(refusalOf(await verify(server, details, code))).toEqual(WRONG_CODE);
});

test('two simultaneous sign-ups with one email address create one account', async () => {
  await using server = await buildTestApp();
  const one = newDetails();
  const other = { ...newDetails(), email: one.email.toUpperCase() };
  await create(server, one);
  const code = await codeFor(server, one.email);
  const answers = await Promise.all([verify(server, one, code), verify(server, other, code)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
  expect(await server.deps.db.selectFrom('users').select('id').execute()).toHaveLength(1);
});

test('a taken address gets the same response as a free one; only its owner is notified', async () => {
  await using server = await buildTestApp();
  const member = await newMember(server);
  const free = await create(server, newDetails());
  const taken = await create(server, newDetails({ email: member.email.toUpperCase() }));
  expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body]);
  const told = await lastMail(server, member.email.toUpperCase());
  expect(told.text).toContain('You already have an account');
  expect(told.text).not.toMatch(/\b\d{6}\b/);
  const again = await register(server, { action: 'resend_otp', email: member.email });
  expect(again.json()).toEqual({ message: 'New verification code sent to your email' });
});
