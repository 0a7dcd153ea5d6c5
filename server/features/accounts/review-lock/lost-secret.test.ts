import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { isPublic } from '#server/features/reviews/testing/moderation.ts';
import { expect, type Site, test as siteTest } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';
import { isLocked, lock, newPoster, ownIds } from '../testing/locked-account.ts';

const { NEW_PASSWORD, PASSWORD, addMember, isSignedIn, linkFor, newDevice, refusalOf } = accounts;
const { resetLink } = accounts;

async function lockedAuthor(site: Site) {
  const member = await newPoster(site);
  const employer = await site.employer();
  const { id } = await site.review({ by: member, at: employer });
  return { member: await lock(site, member), id, employer };
}

const test = siteTest.extend('author', ({ site }) => lockedAuthor(site));

/** Resets the password to `NEW_PASSWORD` with the link from the mail. */
async function reset(
  site: Site,
  { email }: Pick<accounts.Member, 'email'>,
  { code, from }: { code?: string; from?: Pick<accounts.Member, 'headers'> } = {},
) {
  const body = { ...(await resetLink(site, email)), new_password: NEW_PASSWORD };
  const caller = from ? site.as(from) : site.visitor();
  return caller.post(accountEndpoints.resetPassword, { ...body, recovery_code: code });
}

/** What the owner sees after logging in elsewhere with the new password. */
async function seenElsewhere(site: Site, { email }: accounts.Member) {
  const device = await newDevice(site, email, NEW_PASSWORD);
  return { locked: await isLocked(site, device), ids: await ownIds(site, device) };
}

test('the new password unwraps the same secret', async ({ site, author: { member, id } }) => {
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await site.as(member).post(accountEndpoints.changePassword, change)).status).toBe(200);
  expect(await ownIds(site, member)).toEqual([id]);
  expect(await seenElsewhere(site, member)).toEqual({ locked: true, ids: [id] });
});

test('a reset from a signed-in browser keeps reviews', async ({ site, author: { member, id } }) => {
  expect((await reset(site, member, { from: member })).status).toBe(200);
  expect(await isSignedIn(site, member)).toBe(false);
  expect(await seenElsewhere(site, member)).toEqual({ locked: true, ids: [id] });
});

test('a reset elsewhere with the code keeps the reviews and the code', async ({ site, author }) => {
  const { member, id } = author;
  const typedFromPaper = member.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
  for (const code of [typedFromPaper, member.code]) {
    expect((await reset(site, member, { code })).status).toBe(200);
    expect(await seenElsewhere(site, member)).toEqual({ locked: true, ids: [id] });
  }
});

test('a wrong recovery code changes nothing; the link stays valid', async ({ site, author }) => {
  const { member, id } = author;
  for (const account of [member, await addMember(site)]) {
    const refused = await reset(site, account, { code: newRecoveryCode() });
    expect(refusalOf(refused)).toMatchObject({
      status: 400,
      errors: { recovery_code: ['This recovery code does not fit your account.'] },
    });
  }
  expect(await ownIds(site, member)).toEqual([id]);
  const link = await linkFor(site, member.email, '/password-reset');
  const body = { ...link, new_password: NEW_PASSWORD, recovery_code: member.code };
  expect((await site.visitor().post(accountEndpoints.resetPassword, body)).status).toBe(200);
});

test('a reset elsewhere without the code leaves reviews unowned', async ({ site, author }) => {
  const { member, id } = author;
  // Browsers of another account, and signed-out ones, do not have this account's secret.
  const stranger = (await lockedAuthor(site)).member;
  expect((await reset(site, member, { from: stranger })).status).toBe(200);
  expect(await seenElsewhere(site, member)).toEqual({ locked: false, ids: [] });
  expect(await isPublic(site, id)).toBe(true);
});

test('a code found later restores old reviews next to newer ones', async ({ site, author }) => {
  const { member, id, employer } = author;
  await reset(site, member);
  const again = await newDevice(site, member.email, NEW_PASSWORD);
  const since = await site.review({ by: again });
  // A second review of the same job, because the first one has no owner.
  const double = await site.review({ by: again, at: employer });
  expect((await reset(site, member, { code: member.code })).status).toBe(200);
  expect((await seenElsewhere(site, member)).ids).toEqual([id, since.id].toSorted());
  expect(await isPublic(site, double.id)).toBe(true);
});

test('a new recovery code replaces the old one', async ({ site, author: { member, id } }) => {
  const renewed = await lock(site, member);
  expect((await reset(site, member, { code: member.code })).status).toBe(400);
  expect((await reset(site, member, { code: renewed.code })).status).toBe(200);
  expect((await seenElsewhere(site, member)).ids).toEqual([id]);
});

test('an ended session keeps no reviews through a reset', async ({ site, author: { member } }) => {
  await site.visitor().post(sessionEndpoints.logout, { refresh: member.refresh });
  expect((await reset(site, member, { from: member })).status).toBe(200);
  expect((await seenElsewhere(site, member)).locked).toBe(false);
});
