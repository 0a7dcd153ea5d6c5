import type { LoginResponse, SignupDetails } from '#contract/accounts/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { MINUTE_MS } from '#contract/limits.ts';
import { findProfile } from '#server/features/accounts/identity/profiles.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, invalid, type Site, test as siteTest, testWith } from '#server/testing/site.ts';
import {
  addMember,
  codeFor,
  deviceOf,
  invalidField,
  lastMail,
  newDetails,
  refusalOf,
  register,
  wrongCode,
} from '../testing/account-flows.ts';
import { addressKeyOf } from './one-time-codes.ts';

const test = siteTest.extend('details', () => newDetails());
/** The registry has not answered by the time of the response. */
const testApart = testWith({
  npiRegistry: { lookUp: () => Promise.reject(new Error('down')) },
}).extend('details', () => newDetails());

const create = (site: Site, details: SignupDetails) =>
  register(site, { action: 'create_account', ...details });
const verify = (site: Site, details: SignupDetails, otp_code: string) =>
  register(site, { action: 'verify_otp', ...details, otp_code });
const resend = (site: Site, email: string) => register(site, { action: 'resend_otp', email });

const hasAccount = async ({ deps }: Site, { email }: SignupDetails) =>
  (await findProfile(deps.keys, deps.db, email)) !== null;

/** The pending sign-ups of an address. */
const pending = (site: Site, { email }: SignupDetails) => {
  const address_key = addressKeyOf(site.deps.keys, email);
  return site.rows('one_time_codes', { address_key }, ['attempts', 'attempts_total']);
};

const WRONG_CODE = {
  status: 400,
  code: 'invalid_code',
  detail: 'Invalid or expired verification code.',
};
const RESENT = { message: 'New verification code sent to your email' };

testApart(
  'creates nothing before the code is entered, then signs in',
  async ({ site, details }) => {
    const created = await create(site, details);
    expect([created.status, created.body]).toEqual([
      200,
      { message: 'Verification code sent to your email address' },
    ]);
    expect(await hasAccount(site, details)).toBe(false);

    const verified = await verify(site, details, await codeFor(site, details.email));
    expect(verified.status).toBe(200);
    expect(verified.headers['cache-control']).toBe('no-store, no-transform');
    expect(verified.body).toMatchObject({
      message: 'Your account has been created.',
      access: expect.any(String),
      refresh: expect.any(String),
      user: { email: details.email, first_name: 'Ada', pending_email: null, is_admin: false },
      doctor: {
        npi: details.npi,
        verified: false,
        can_post_reviews: false,
        created_at: site.time.now.toISOString().slice(0, 10),
        verification: { status: 'pending' },
      },
    });
  },
);

test.for<[field: string, value: unknown, ...messages: string[]]>([
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
])('rejects the %s %j with its text', async ([field, value, ...messages], { site, details }) => {
  for (const step of [{ action: 'create_account' }, { action: 'verify_otp', otp_code: '123456' }]) {
    const answer = await register(site, invalid({ ...details, ...step, [field]: value }));
    expect(refusalOf(answer)).toEqual(invalidField(field, ...messages));
    expect(answer.problem.error).toBe(messages[0]);
  }
  await site.jobs.idle();
  expect(site.mail.filter(({ to }) => to === details.email)).toEqual([]);
});

test.for<[payload: object, field: string, message: string]>([
  [{ action: 'verify_otp', ...newDetails() }, 'otp_code', 'Verification code is required'],
  [
    { action: 'verify_otp', ...newDetails(), otp_code: '12345' },
    'otp_code',
    'Please enter a valid 6-digit code',
  ],
  [{ action: 'resend_otp' }, 'email', 'Email is required'],
  [{ action: 'resend_otp', email: newEmail(), npi: '1' }, 'npi', 'Unknown field'],
  [{}, 'action', "Action must be 'create_account', 'verify_otp' or 'resend_otp'"],
])('rejects invalid codes and other actions: %j', async ([payload, field, message], { site }) => {
  const { problem } = await register(site, invalid(payload));
  expect(problem).toMatchObject({ status: 400, errors: { [field]: [message] } });
});

test('sends a new code on request, which replaces the previous one', async ({ site, details }) => {
  await create(site, details);
  const first = await codeFor(site, details.email);
  expect((await resend(site, details.email)).body).toEqual(RESENT);
  const second = await codeFor(site, details.email);
  // One new code in a million is the same.
  if (first !== second) {
    expect(refusalOf(await verify(site, details, first))).toEqual(WRONG_CODE);
  }
  expect((await verify(site, details, second)).status).toBe(200);
  expect(refusalOf(await verify(site, details, second))).toEqual(WRONG_CODE);
});

test('a code works for ten minutes', async ({ site, details }) => {
  await create(site, details);
  const code = await codeFor(site, details.email);
  site.pass(10 * MINUTE_MS);
  expect(refusalOf(await verify(site, details, code))).toEqual(WRONG_CODE);
});

test('a code allows only five attempts, so guessing fails', async ({ site, details }) => {
  await create(site, details);
  const code = await codeFor(site, details.email);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(refusalOf(await verify(site, details, wrongCode(code)))).toEqual(WRONG_CODE);
  }
  // Simultaneous guesses, one of them correct.
  const nearby = Array.from({ length: 20 }, (_, index) =>
    String((Number(code) + index) % 1_000_000).padStart(6, '0'),
  );
  const answers = await Promise.all(nearby.map((guess) => verify(site, details, guess)));
  for (const answer of answers) expect(refusalOf(answer)).toEqual(WRONG_CODE);
  expect(await hasAccount(site, details)).toBe(false);
});

test('twenty simultaneous guesses count as five attempts', async ({ site, details }) => {
  await create(site, details);
  const code = await codeFor(site, details.email);
  await Promise.all(Array.from({ length: 20 }, () => verify(site, details, wrongCode(code))));
  expect(await pending(site, details)).toMatchObject([{ attempts: 5 }]);
  expect(refusalOf(await verify(site, details, code))).toEqual(WRONG_CODE);
});

test('new codes reset the attempts of a sign-up at most twice', async ({ site, details }) => {
  await create(site, details);
  for (let code = 0; code < 4; code += 1) {
    const wrong = wrongCode(await codeFor(site, details.email));
    for (let attempt = 0; attempt < 6; attempt += 1) await verify(site, details, wrong);
    await resend(site, details.email);
  }
  expect(await pending(site, details)).toMatchObject([{ attempts_total: 15 }]);
  // Signing up again with the same details starts over.
  await create(site, details);
  expect((await verify(site, details, await codeFor(site, details.email))).status).toBe(200);
});

test('requesting a code without a pending sign-up says so only in the mail', async ({ site }) => {
  const email = newEmail();
  expect((await resend(site, email)).body).toEqual(RESENT);
  const mail = await lastMail(site, email);
  expect(mail.text).toContain('Please sign up again');
  expect(mail.text).not.toMatch(/\b\d{6}\b/);
});

test('two sign-ups at once with one address create one account', async ({ site, details: one }) => {
  const other = newDetails({ email: one.email.toUpperCase() });
  await create(site, one);
  const code = await codeFor(site, one.email);
  await create(site, other);
  const otherCode = await codeFor(site, other.email);
  const replies = await Promise.all([verify(site, one, code), verify(site, other, otherCode)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('a taken address is answered like a free one; its owner knows', async ({ site, details }) => {
  const { email } = await addMember(site);
  const free = await create(site, details);
  const taken = await create(site, newDetails({ email: email.toUpperCase() }));
  expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  const told = await lastMail(site, email.toUpperCase());
  expect(told.text).toContain('You already have an account');
  expect(told.text).not.toMatch(/\b\d{6}\b/);
  expect((await resend(site, email)).body).toEqual(RESENT);
});

test("a stranger's code for an address stays, whether its owner joins or leaves", async ({
  site,
  details: owner,
}) => {
  const guesses: [SignupDetails, string][] = [];
  for (const email of [owner.email, newEmail()]) {
    const details = newDetails({ email });
    await create(site, details);
    guesses.push([details, wrongCode(await codeFor(site, email))]);
  }
  await create(site, owner);
  const code = await codeFor(site, owner.email);
  const { headers } = deviceOf((await verify(site, owner, code)).body as LoginResponse);
  // Each attempt writes the same rows, so that its time reveals nothing.
  const attempts = async () => {
    const written: unknown[] = [];
    for (const [details, guess] of guesses) {
      expect(refusalOf(await verify(site, details, guess))).toEqual(WRONG_CODE);
      written.push(await pending(site, details));
    }
    return written;
  };
  const rows = (attempts: number) => [{ attempts, attempts_total: attempts }];
  expect(await attempts()).toEqual([rows(1), rows(1)]);
  const removal = { password: owner.password, reviews: 'keep' } as const;
  expect((await site.as({ headers }).post(accountEndpoints.delete, removal)).status).toBe(200);
  expect(await attempts()).toEqual([rows(2), rows(2)]);
});
