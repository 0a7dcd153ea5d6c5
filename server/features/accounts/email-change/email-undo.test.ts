import { accountEndpoints } from '#contract/endpoints/account.ts';
import { DAY_MS } from '#contract/limits.ts';
import { sealedWith } from '#server/anonymity/seal.ts';
import { accountHash } from '#server/features/accounts/mail-links.ts';
import { newEmail, signUp } from '#server/testing/factories.ts';
import { expect, type Site, test as siteTest } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';

const { BAD_LINK, NEW_PASSWORD, PASSWORD, addMember, canLogIn, changeProfile, codeFor } = accounts;
const { confirmEmail, isSignedIn, lastMail, linkFor, logIn, newDetails, newDevice } = accounts;
const { refusalOf, register, resetLink, resetPassword, stopEmailChange: undo } = accounts;

const test = siteTest.extend('member', ({ site }) => addMember(site)).extend('email', newEmail);

const UNDONE = {
  message: 'The change has been undone. Your previous email address is in use again.',
};

type Holder = Pick<accounts.Member, 'id' | 'headers'>;

const ask = (site: Site, holder: Holder, email: string) =>
  changeProfile(site, holder, { email, password: PASSWORD });
const undoLink = (site: Site, to: string) => linkFor(site, to, '/stop-email-change');

/** Signs in with one address and changes to another. Returns the undo link sent to the first. */
async function move(site: Site, { id }: Pick<accounts.Member, 'id'>, from: string, to: string) {
  const { headers } = await newDevice(site, from);
  expect((await ask(site, { id, headers }, to)).status).toBe(200);
  expect((await confirmEmail(site, await linkFor(site, to, '/confirm-email'))).status).toBe(200);
  return undoLink(site, from);
}

/** Asserts that only one of these addresses signs in. */
async function expectAddress(site: Site, email: string, ...others: string[]) {
  expect(await canLogIn(site, email)).toBe(true);
  for (const other of others) expect(await canLogIn(site, other)).toBe(false);
}

const rowsOf = (site: Site, { id }: Pick<accounts.Member, 'id'>) => {
  const account_key = accountHash(site.deps.keys, 'email-undo', id);
  return site.rows('email_undos', { account_key });
};

test('the old mailbox undoes a change and ends all sessions', async ({ site, member, email }) => {
  const link = await move(site, member, member.email, email);
  const elsewhere = await newDevice(site, email);
  const query = await resetLink(site, email);

  const { status, body } = await undo(site, link);
  expect([status, body]).toEqual([200, UNDONE]);
  expect(await isSignedIn(site, member)).toBe(false);
  expect(await isSignedIn(site, elsewhere)).toBe(false);
  const checked = await site.visitor().get(accountEndpoints.checkResetLink, { query });
  expect(checked.status).toBe(400);
  // The owner set the current password, so it stays.
  await expectAddress(site, member.email, email);
  const told = await lastMail(site, email);
  expect(told.text).toContain('Your email address was changed back');
  expect(told.text).not.toContain('token=');

  expect(refusalOf(await undo(site, link))).toEqual(BAD_LINK);
  expect(await rowsOf(site, member)).toEqual([]);
});

test('works for 7 days after the confirmation, whenever that was', async ({ site }) => {
  const links = [];
  for (const member of [await addMember(site), await addMember(site)]) {
    const email = newEmail();
    await ask(site, member, email);
    links.push(await undoLink(site, member.email));
    site.pass(0.99 * DAY_MS);
    const waiting = await linkFor(site, email, '/confirm-email');
    expect((await confirmEmail(site, waiting)).status).toBe(200);
    site.pass(-0.99 * DAY_MS);
  }
  const [soon = { token: '' }, late = { token: '' }] = links;
  site.pass((0.99 + 7) * DAY_MS);
  expect((await undo(site, soon)).body).toEqual(UNDONE);
  // The expiry is rounded to a day.
  site.pass(DAY_MS);
  expect(refusalOf(await undo(site, late))).toEqual(BAD_LINK);
});

test('a newer change leaves the links of earlier addresses valid', async ({ site, member }) => {
  const [first, second, third] = [newEmail(), newEmail(), newEmail()];
  await ask(site, member, first);
  const earliest = await undoLink(site, member.email);
  await ask(site, member, second);
  const later = await undoLink(site, member.email);
  await confirmEmail(site, await linkFor(site, second, '/confirm-email'));
  const theirs = await move(site, member, second, third);

  site.pass(6 * DAY_MS);
  expect((await undo(site, earliest)).body).toEqual(UNDONE);
  for (const link of [later, theirs]) expect(refusalOf(await undo(site, link))).toEqual(BAD_LINK);
  await expectAddress(site, member.email, first, second, third);
});

test('of several addresses, the earliest one wins', async ({ site, member }) => {
  const [first, second] = [newEmail(), newEmail()];
  const owners = await move(site, member, member.email, first);
  const theirs = await move(site, member, first, second);
  expect((await undo(site, theirs)).status).toBe(200);
  await expectAddress(site, first, member.email, second);
  const again = await move(site, member, first, second);
  expect((await undo(site, owners)).status).toBe(200);
  expect(refusalOf(await undo(site, again))).toEqual(BAD_LINK);
  await expectAddress(site, member.email, first, second);
});

test('an owner who returns by another change invalidates old links', async ({ site, member }) => {
  const [first, second] = [newEmail(), newEmail()];
  await move(site, member, member.email, first);
  const theirs = await move(site, member, first, member.email);
  expect(refusalOf(await undo(site, theirs))).toEqual(BAD_LINK);
  const link = await move(site, member, member.email, second);
  expect(refusalOf(await undo(site, theirs))).toEqual(BAD_LINK);
  expect((await undo(site, link)).status).toBe(200);
  await expectAddress(site, member.email, first, second);
});

test('invalidates a password set after requesting the change', async ({ site, member, email }) => {
  const link = await move(site, member, member.email, email);
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  await site.as(await newDevice(site, email)).post(accountEndpoints.changePassword, change);
  expect((await undo(site, link)).status).toBe(200);
  for (const password of [PASSWORD, NEW_PASSWORD]) {
    expect(await canLogIn(site, member.email, password)).toBe(false);
  }
  expect((await resetPassword(site, member.email, 'Third-Stethoscope-3')).status).toBe(200);
  expect(await canLogIn(site, member.email, 'Third-Stethoscope-3')).toBe(true);
});

test('the old address is reserved while an undo is possible', async ({ site, member, email }) => {
  const link = await move(site, member, member.email, email);
  const details = newDetails({ email: member.email.toUpperCase() });
  const taken = await register(site, { action: 'create_account', ...details });
  const free = await register(site, { action: 'create_account', ...newDetails() });
  expect([taken.status, taken.text]).toEqual([200, free.text]);
  const told = await lastMail(site, details.email);
  expect(told.text).toContain('until a few days ago');
  expect(told.text).not.toMatch(/\b\d{6}\b/);

  const other = await addMember(site);
  expect((await ask(site, other, member.email)).body.pending_email).toBe(member.email);
  const offered = await lastMail(site, member.email);
  expect(offered.text).toContain('until a few days ago');
  expect(offered.text).not.toContain('token=');

  expect((await undo(site, link)).status).toBe(200);
  await expectAddress(site, member.email);
});

test('a code sent before the address was reserved creates no account', async ({ site, member }) => {
  const details = newDetails();
  await register(site, { action: 'create_account', ...details });
  const otp_code = await codeFor(site, details.email);
  // Changes to the address, and then to another one.
  await move(site, member, member.email, details.email);
  const link = await move(site, member, details.email, newEmail());
  const verified = await register(site, { action: 'verify_otp', ...details, otp_code });
  expect(refusalOf(verified).code).toBe('invalid_code');
  expect((await undo(site, link)).status).toBe(200);
});

test('after 7 days the old address is free', async ({ site, member, email }) => {
  await move(site, member, member.email, email);
  site.pass(8 * DAY_MS);
  const { user } = await signUp(site, newDetails({ email: member.email }));
  expect(user.id).not.toBe(member.id);
});

test('two people who open the link at once undo one change', async ({ site, member, email }) => {
  const link = await move(site, member, member.email, email);
  const replies = await Promise.all([undo(site, link), undo(site, link), undo(site, link)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  await expectAddress(site, member.email);
});

test('if a change is undone and confirmed at once, the old address stays', async ({ site }) => {
  for (let round = 0; round < 5; round += 1) {
    const [member, email] = [await addMember(site), newEmail()];
    await ask(site, member, email);
    const back = await undoLink(site, member.email);
    const onward = await linkFor(site, email, '/confirm-email');
    const [undone] = await Promise.all([undo(site, back), confirmEmail(site, onward)]);
    expect(undone.status).toBe(200);
    expect(refusalOf(await confirmEmail(site, onward))).toEqual(BAD_LINK);
    await expectAddress(site, member.email, email);
  }
});

test('an undo while a thief requests a change leaves none', async ({ site, member, email }) => {
  const link = await move(site, member, member.email, email);
  const thief = { id: member.id, headers: (await newDevice(site, email)).headers };
  await Promise.all([
    undo(site, link),
    ...Array.from({ length: 5 }, () => ask(site, thief, newEmail())),
  ]);
  const { user } = (await logIn(site, member.email)).body;
  expect(user).toMatchObject({ email: member.email, pending_email: null });
});

test('a stored link names nothing, and is deleted on time', async ({ site, member, email }) => {
  await move(site, member, member.email, email);
  const [row] = await rowsOf(site, member);
  const end = new Date(site.time.now.getTime() + 8 * DAY_MS).toISOString().slice(0, 10);
  expect(row?.expires_on).toBe(end);
  expect(row?.sealed.length).toBeLessThan(300);
  for (const key of [row?.token_hash, row?.account_key, row?.address_key]) {
    expect(key).toHaveLength(32);
  }
  expect(row && sealedWith(row.sealed)).toBe('k1');
  const both = 'select from email_changes join email_undos using (account_key)';
  const { rows } = await site.deps.database.pool.query(both);
  expect(rows).toEqual([]);

  site.pass(7 * DAY_MS);
  await site.run('retention');
  expect(await rowsOf(site, member)).toHaveLength(1);
  site.pass(DAY_MS);
  await site.run('retention');
  expect(await rowsOf(site, member)).toEqual([]);
});

test('a change that nobody confirms leaves nothing behind', async ({ site, member, email }) => {
  await ask(site, member, email);
  expect(await rowsOf(site, member)).toHaveLength(1);
  site.pass(2 * DAY_MS);
  await site.run('retention');
  expect(await rowsOf(site, member)).toEqual([]);
});

/** The ids of the jobs that will mail something later. */
async function queuedMail({ deps, jobs }: Site) {
  await jobs.idle();
  const mails =
    "select id from pgboss.job where name in ('send-mail', 'password-reset') order by id";
  return (await deps.database.pool.query(mails)).rows;
}

test('deleting the account deletes its links and queued mail', async ({ site, member, email }) => {
  const link = await move(site, member, member.email, email);
  const device = await newDevice(site, email);
  const othersMail = await queuedMail(site);
  const mail = { to: member.email, template: 'verified', props: {} } as const;
  await site.deps.jobs.enqueue(site.deps.db, 'send-mail', mail, { startAfterSeconds: 3600 });
  await site.as(device).post(accountEndpoints.delete, { password: PASSWORD, reviews: 'delete' });
  expect(await rowsOf(site, member)).toEqual([]);
  expect(await queuedMail(site)).toEqual(othersMail);
  expect(refusalOf(await undo(site, link))).toEqual(BAD_LINK);
  // The address is free again.
  await signUp(site, newDetails({ email: member.email }));
});
