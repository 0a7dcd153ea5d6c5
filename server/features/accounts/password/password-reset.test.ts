import { onTestFinished, vi } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { DAY_MS } from '#contract/limits.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, invalid, type Site, test as siteTest } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';

const { NEW_PASSWORD, PASSWORD, addMember, canLogIn, isSignedIn, lastMail, refusalOf } = accounts;
const { resetLink } = accounts;

const test = siteTest.extend('member', ({ site }) => addMember(site));

const BAD_LINK = {
  status: 400,
  code: 'invalid_reset_link',
  detail: 'This password reset link is invalid or has expired. Please request a new one.',
};

const ask = (site: Site, email: string) =>
  site.visitor().post(accountEndpoints.requestPasswordReset, { email });
const validate = (site: Site, query: accounts.LinkQuery) =>
  site.visitor().get(accountEndpoints.checkResetLink, { query });
const confirm = (site: Site, link: accounts.LinkQuery, new_password = NEW_PASSWORD) =>
  site.visitor().post(accountEndpoints.resetPassword, { ...link, new_password });

test('the mailed link sets a new password once and ends all sessions', async ({ site, member }) => {
  const link = await resetLink(site, member.email);
  expect(Object.keys(link)).toEqual(['token', 'uidb64']);
  expect((await validate(site, link)).status).toBe(200);
  const { status, body } = await confirm(site, link);
  expect([status, body]).toEqual([
    200,
    { message: 'Password reset successfully! You can now login with your new password.' },
  ]);
  expect(await isSignedIn(site, member)).toBe(false);
  expect(await canLogIn(site, member.email, PASSWORD)).toBe(false);
  expect(await canLogIn(site, member.email, NEW_PASSWORD)).toBe(true);
  expect((await lastMail(site, member.email)).text).toContain('Your password was changed');

  expect(refusalOf(await confirm(site, link))).toEqual(BAD_LINK);
  expect(refusalOf(await validate(site, link))).toEqual(BAD_LINK);
});

test('all addresses get the same answer; only a known one gets mail', async ({ site, member }) => {
  const stranger = newEmail();
  const [known, unknown] = [await ask(site, member.email), await ask(site, stranger)];
  expect(known.body).toEqual({ message: 'Password reset email sent! Check your inbox.' });
  expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  await site.jobs.idle();
  const sent = site.mail.filter(({ to }) => [member.email, stranger].includes(to));
  expect(sent.map(({ to }) => to)).toEqual([member.email]);
});

test('a known and an unknown address cause the same statements, jobs, and links', async ({
  site,
  member,
}) => {
  const sent: string[] = [];
  const statements = site.statements as Set<string>;
  const spy = vi.spyOn(statements, 'add').mockImplementation((text) => {
    // How often the queue asks for jobs depends on the time.
    if (!text.includes('pgboss')) sent.push(text);
    return statements;
  });
  const enqueue = vi.spyOn(site.deps.jobs, 'enqueue');
  onTestFinished(() => void [spy, enqueue].map((one) => one.mockRestore()));
  const links = async () => (await site.rows('password_resets', {}, ['sealed'])).length;
  const causedBy = async (email: string) => {
    await site.jobs.idle();
    const before = await links();
    sent.length = 0;
    enqueue.mockClear();
    await ask(site, email);
    await site.jobs.idle();
    const jobs = enqueue.mock.calls.map(([, name]) => name);
    return { statements: sent.toSorted(), jobs, links: (await links()) - before };
  };
  // The first request begins the windows of the rate limits.
  await causedBy(newEmail());
  const [known, unknown] = [await causedBy(member.email), await causedBy(newEmail())];
  expect(known).toMatchObject({ jobs: ['password-reset', 'send-mail'], links: 1 });
  expect(unknown).toEqual(known);
});

test('sends the mail to the address as the account spells it', async ({ site, member }) => {
  await ask(site, member.email.toUpperCase());
  expect((await lastMail(site, member.email)).text).toContain('Choose a new password');
});

test('a link works for 24 hours', async ({ site, member }) => {
  const link = await resetLink(site, member.email);
  site.pass(DAY_MS - 1);
  expect((await validate(site, link)).status).toBe(200);
  site.pass(1);
  expect(refusalOf(await validate(site, link))).toEqual(BAD_LINK);
  expect(refusalOf(await confirm(site, link))).toEqual(BAD_LINK);
});

test('of two simultaneous uses, one sets the password', async ({ site, member: { email } }) => {
  const link = await resetLink(site, email);
  const passwords = ['First-Stethoscope-1', 'Second-Stethoscope-2'];
  const replies = await Promise.all(passwords.map((password) => confirm(site, link, password)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const won = passwords[replies.findIndex(({ status }) => status === 200)];
  expect(await canLogIn(site, email, won)).toBe(true);
});

test('a link works only for its account, until another one is used', async ({ site, member }) => {
  const { email } = member;
  const [first, second] = [await resetLink(site, email), await resetLink(site, email)];
  const foreign = await resetLink(site, (await addMember(site)).email);
  for (const link of [
    { ...first, uidb64: foreign.uidb64 },
    { ...first, token: foreign.token },
    { ...first, token: first.token.slice(1) },
    { token: 'x', uidb64: 'x' },
  ]) {
    expect(refusalOf(await confirm(site, link))).toEqual(BAD_LINK);
  }
  expect((await confirm(site, first)).status).toBe(200);
  expect(refusalOf(await confirm(site, second))).toEqual(BAD_LINK);
  expect((await validate(site, foreign)).status).toBe(200);
});

test('rejects each invalid field with its text', async ({ site, member }) => {
  const link = await resetLink(site, member.email);
  for (const [password, message] of [
    ['', 'Password is required'],
    ['Abc-123', 'Password must be at least 8 characters long.'],
    ['abcdefg-1', 'Password must contain at least one uppercase letter'],
    ['P@ssw0rd', 'This password is too common. Please choose another.'],
    [`Aa-1${'x'.repeat(124)}`, 'Password must be under 128 characters'],
  ] as const) {
    const { problem } = await confirm(site, link, password);
    const errors = { new_password: [message] };
    expect(problem).toMatchObject({ code: 'validation_error', errors, error: message });
  }
  for (const query of [{}, { token: '', uidb64: '' }, { token: 'x'.repeat(101), uidb64: 'x' }]) {
    const { problem } = await validate(site, invalid(query));
    expect(problem).toMatchObject({ status: 400, error: BAD_LINK.detail });
  }
  expect((await ask(site, '')).problem.errors).toEqual({ email: ['Email is required'] });
  expect((await confirm(site, link)).status).toBe(200);
});
