import { accountEndpoints } from '#contract/endpoints/account.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, type Site, test as siteTest } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';

const { NEW_PASSWORD, PASSWORD, addMember, canLogIn, changeProfile, confirmEmail } = accounts;
const { deviceOf, invalidField, isSignedIn, lastMail, linkFor, logIn, newDevice } = accounts;
const { refreshWith, refusalOf, resetLink } = accounts;

const test = siteTest.extend('member', ({ site }) => addMember(site));

const change = (
  site: Site,
  member: Pick<accounts.Member, 'headers'>,
  current_password = PASSWORD,
  new_password = NEW_PASSWORD,
) => site.as(member).post(accountEndpoints.changePassword, { current_password, new_password });

test('ends every other session, and says so', async ({ site, member }) => {
  const elsewhere = await newDevice(site, member.email);
  const { status, body } = await change(site, member);
  expect([status, body.message]).toEqual([
    200,
    'Your password has been changed. You stay signed in here; all other sessions have been signed out.',
  ]);
  expect(await isSignedIn(site, member)).toBe(true);
  expect(await isSignedIn(site, elsewhere)).toBe(false);
  expect((await refreshWith(site, elsewhere)).status).toBe(401);
  expect(await canLogIn(site, member.email, PASSWORD)).toBe(false);
  expect(await canLogIn(site, member.email, NEW_PASSWORD)).toBe(true);
  expect((await lastMail(site, member.email)).text).toContain('Your password was changed');
});

test('invalidates pending reset links and a pending email change', async ({ site, member }) => {
  const reset = await resetLink(site, member.email);
  const email = newEmail();
  await changeProfile(site, member, { email });
  const confirm = await linkFor(site, email, '/confirm-email');
  await change(site, member);
  const chosen = { ...reset, new_password: 'Third-Stethoscope-3' };
  expect((await site.visitor().post(accountEndpoints.resetPassword, chosen)).status).toBe(400);
  expect((await confirmEmail(site, confirm)).status).toBe(400);
});

test('rejects invalid input with its text', async ({ site, member }) => {
  for (const [current, next, field, message] of [
    ['Wrong-Stethoscope-1', NEW_PASSWORD, 'current_password', 'Incorrect password.'],
    ['', NEW_PASSWORD, 'current_password', 'Password is required'],
    ['x'.repeat(129), NEW_PASSWORD, 'current_password', 'Incorrect password.'],
    [PASSWORD, 'Abc-123', 'new_password', 'Password must be at least 8 characters'],
    [PASSWORD, 'P@ssw0rd', 'new_password', 'This password is too common. Please choose another.'],
  ] as const) {
    const answer = await change(site, member, current, next);
    expect(refusalOf(answer)).toEqual(invalidField(field, message));
  }
  expect((await change(site, { headers: { authorization: '' } })).status).toBe(401);
  expect(await canLogIn(site, member.email)).toBe(true);
});

test('of two simultaneous changes, one succeeds', async ({ site, member }) => {
  const replies = await Promise.all([
    change(site, member, PASSWORD, 'First-Stethoscope-1'),
    change(site, member, PASSWORD, 'Second-Stethoscope-2'),
  ]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('a login with the old password does not outlive the change', async ({ site, member }) => {
  const [changed, ...logins] = await Promise.all([
    change(site, member),
    ...Array.from({ length: 8 }, () => logIn(site, member.email, PASSWORD)),
  ]);
  expect(changed.status).toBe(200);
  for (const login of logins) {
    if (login.status === 200) expect(await isSignedIn(site, deviceOf(login.body))).toBe(false);
  }
});
