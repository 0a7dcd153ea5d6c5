import { decodeJwt } from 'jose';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { DAY_MS, MINUTE_MS } from '#contract/limits.ts';
import { unseal } from '#server/anonymity/seal.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import type { SessionState } from '#server/features/accounts/session/sessions.ts';
import { endSessionsOf } from '#server/features/accounts/session/sessions.ts';
import { openRefreshToken } from '#server/features/accounts/session/tokens.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, invalid, type Site, test as siteTest } from '#server/testing/site.ts';

const { NEW_PASSWORD, PASSWORD, addMember, canLogIn, changeProfile, confirmEmail } = accounts;
const { deviceOf, invalidField, isSignedIn, linkFor, logIn, newDevice, refreshWith } = accounts;
const { refusalOf, resetLink, resetPassword, stopEmailChange } = accounts;

const test = siteTest.extend('member', ({ site }) => addMember(site));

const CONFIRM = {
  status: 403,
  code: 'confirm_password',
  detail: 'Please confirm your password to continue.',
};
const wrong = (message = 'Incorrect password.') => invalidField('password', message);

const download = (site: Site, member: Pick<accounts.Member, 'headers'>) =>
  site.as(member).get(accountEndpoints.export);
const downloadWith = (site: Site, member: accounts.Member, body: { password: string }) =>
  site.as(member).post(accountEndpoints.exportWithPassword, body);
/** The same account with the next tokens of a session. */
const refreshed = async (
  site: Site,
  { id }: Pick<accounts.Member, 'id'>,
  device: { refresh: string },
) => ({
  id,
  ...deviceOf((await refreshWith(site, device)).body),
});

test('a stolen access token cannot take over the account', async ({ site, member: owner }) => {
  site.pass(11 * MINUTE_MS);
  const email = newEmail();
  const guess = { email, password: 'Wrong-Stethoscope-1' };
  expect(refusalOf(await changeProfile(site, owner, guess))).toEqual(wrong());
  // Nor can the refresh token.
  for (const thief of [owner, await refreshed(site, owner, owner)]) {
    expect(refusalOf(await changeProfile(site, thief, { email }))).toEqual(CONFIRM);
    expect(refusalOf(await download(site, thief))).toEqual(CONFIRM);
  }
  await site.jobs.idle();
  expect(site.mail.filter(({ to }) => to === email)).toEqual([]);
  const { user } = (await logIn(site, owner.email)).body;
  expect(user).toMatchObject({ email: owner.email, pending_email: null });
});

test('a token stolen at login has the account until the undo', async ({ site, member: owner }) => {
  const [first, second, third] = [newEmail(), newEmail(), newEmail()];
  const move = async (caller: Pick<accounts.Member, 'id' | 'headers'>, email: string) => {
    expect((await changeProfile(site, caller, { email })).status).toBe(200);
    const link = await linkFor(site, email, '/confirm-email');
    expect((await confirmEmail(site, link)).status).toBe(200);
  };
  await move(owner, first);
  const undo = await linkFor(site, owner.email, '/stop-email-change');
  await resetPassword(site, first, NEW_PASSWORD);
  const thief = { id: owner.id, ...(await newDevice(site, first, NEW_PASSWORD)) };
  await move(thief, second);
  const theirUndo = await linkFor(site, first, '/stop-email-change');
  await changeProfile(site, thief, { email: third });
  const theirConfirm = await linkFor(site, third, '/confirm-email');
  const theirReset = await resetLink(site, second);

  site.pass(6 * DAY_MS);
  const fresh = await newDevice(site, second, NEW_PASSWORD);
  expect((await stopEmailChange(site, undo)).status).toBe(200);

  expect(await isSignedIn(site, fresh)).toBe(false);
  for (const device of [thief, fresh]) expect((await refreshWith(site, device)).status).toBe(401);
  for (const email of [owner.email, first, second, third]) {
    expect(await canLogIn(site, email, NEW_PASSWORD)).toBe(false);
  }
  expect((await stopEmailChange(site, theirUndo)).status).toBe(400);
  expect((await confirmEmail(site, theirConfirm)).status).toBe(400);
  const chosen = { ...theirReset, new_password: 'Third-Stethoscope-3' };
  expect((await site.visitor().post(accountEndpoints.resetPassword, chosen)).status).toBe(400);
  // Only the owner gets the link for a new password.
  await site.jobs.idle();
  const sent = site.mail.length;
  for (const email of [first, second, third]) {
    await site.visitor().post(accountEndpoints.requestPasswordReset, { email });
  }
  await site.jobs.idle();
  expect(site.mail).toHaveLength(sent);
  await resetPassword(site, owner.email, PASSWORD);
  const { user } = (await logIn(site, owner.email)).body;
  expect(user).toMatchObject({ id: owner.id, email: owner.email, pending_email: null });
});

test('a login is fresh for 10 minutes; refreshing does not extend it', async ({ site, member }) => {
  site.pass(60 * MINUTE_MS);
  const login = await newDevice(site, member.email);
  const since = Math.floor(site.time.now.getTime() / 1000);
  site.pass(9 * MINUTE_MS);
  const renewed = await refreshed(site, member, login);
  expect(decodeJwt(renewed.access)).toMatchObject({ auth_time: since });
  expect((await download(site, renewed)).status).toBe(200);
  expect((await changeProfile(site, renewed, { email: newEmail() })).status).toBe(200);
  site.pass(MINUTE_MS);
  expect(refusalOf(await download(site, renewed))).toEqual(CONFIRM);
  const later = await refreshed(site, member, renewed);
  expect(refusalOf(await changeProfile(site, later, { email: newEmail() }))).toEqual(CONFIRM);
});

test('the password is as good as a fresh login', async ({ site, member }) => {
  site.pass(11 * MINUTE_MS);
  const pending = { email: member.email, pending_email: newEmail() };
  const change = { email: pending.pending_email, password: PASSWORD };
  expect((await changeProfile(site, member, change)).body).toMatchObject(pending);
  const { headers, body } = await downloadWith(site, member, { password: PASSWORD });
  expect(headers).toMatchObject({
    'content-disposition': 'attachment; filename="curbside-data.json"',
    'cache-control': 'no-store, no-transform',
  });
  expect(body).toMatchObject({ user: pending });
  // This was not a login, so the next request needs the password again.
  expect(refusalOf(await download(site, member))).toEqual(CONFIRM);
});

test('rejects a wrong password at its field, even if none is needed', async ({ site, member }) => {
  for (const minutes of [0, 11]) {
    site.pass(minutes * MINUTE_MS);
    for (const [password, message] of [
      ['Wrong-Stethoscope-1', 'Incorrect password.'],
      ['', 'Password is required'],
      ['x'.repeat(129), 'Incorrect password.'],
    ] as const) {
      for (const changes of [{ email: newEmail() }, { first_name: 'Grace' }, {}]) {
        const answer = await changeProfile(site, member, { ...changes, password });
        expect(refusalOf(answer)).toEqual(wrong(message));
      }
      expect(refusalOf(await downloadWith(site, member, { password }))).toEqual(wrong(message));
    }
  }
  expect((await downloadWith(site, member, invalid({}))).problem.errors).toEqual({
    password: ['Password is required'],
  });
  const { user } = (await logIn(site, member.email)).body;
  expect(user).toMatchObject({ first_name: 'Ada', email: member.email, pending_email: null });
});

test('changing names or sending the same address needs no password', async ({ site, member }) => {
  site.pass(11 * MINUTE_MS);
  const email = member.email.toUpperCase();
  const { body } = await changeProfile(site, member, { email, first_name: 'Grace' });
  expect(body).toMatchObject({ email, first_name: 'Grace', pending_email: null });
  // All or nothing.
  const refused = await changeProfile(site, member, { email: newEmail(), first_name: 'Ada' });
  expect(refusalOf(refused)).toEqual(CONFIRM);
  expect((await logIn(site, member.email)).body.user.first_name).toBe('Grace');
});

test('rejects a change if its session ends while it waits', async ({ site, member }) => {
  const { db, keys } = site.deps;
  let asked: ReturnType<typeof changeProfile> | undefined;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, member.id);
    asked = changeProfile(site, member, { email: newEmail() });
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    await endSessionsOf(keys, trx, member.id);
  });
  expect((await asked)?.status).toBe(401);
  expect((await logIn(site, member.email)).body.user.pending_email).toBeNull();
});

test('neither a session nor its key shows when it was used or the next token', async ({ site }) => {
  const { keys } = site.deps;
  site.time.now = new Date('2026-03-04T05:06:07.891Z');
  const member = await addMember(site);
  const stateOf = async () => {
    const account_key = keys.sessionIndex('session-account', member.id);
    const [{ id, sealed } = expect.fail()] = await site.rows('sessions', { account_key });
    const key = { id: 's', key: keys.sessionKey('session-seal') };
    return { state: unseal<SessionState>([key], id, sealed), length: sealed.length };
  };
  const first = await stateOf();
  site.pass(10_000);
  const next = openRefreshToken(keys, (await refreshed(site, member, member)).refresh);
  const second = await stateOf();
  expect(second.length).toBe(first.length);
  expect(Object.keys(second.state).toSorted()).toEqual(['current', 'issued']);
  const text = JSON.stringify([first, second]) + Buffer.from(second.state.issued, 'base64');
  expect(text).not.toContain(next?.secret);
  for (const time of [String(Math.floor(site.time.now.getTime() / 1e6)), '2026-03']) {
    expect(text).not.toContain(time);
  }
});
