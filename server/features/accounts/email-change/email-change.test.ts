import { accountEndpoints } from '#contract/endpoints/account.ts';
import { DAY_MS } from '#contract/limits.ts';
import { newEmail, signUp } from '#server/testing/factories.ts';
import { expect, invalid, type Site, test as siteTest } from '#server/testing/site.ts';
import * as accounts from '../testing/account-flows.ts';

const { BAD_LINK, STOPPED, addMember, canLogIn, changeProfile, confirmEmail } = accounts;
const { isSignedIn, lastMail, linkFor, logIn, newDetails, profileOf, refusalOf } = accounts;
const { resetLink, stopEmailChange } = accounts;

const test = siteTest.extend('member', ({ site }) => addMember(site)).extend('email', newEmail);

const ask = (site: Site, member: accounts.Member, email: string) =>
  changeProfile(site, member, { email });

/** Asks for a change. Returns the links that confirm it and that stop it. */
async function linksFor(site: Site, member: accounts.Member, email: string) {
  await ask(site, member, email);
  const confirm = await linkFor(site, email, '/confirm-email');
  return { confirm, stop: await linkFor(site, member.email, '/stop-email-change') };
}

test('a new address takes effect when its link is opened', async ({ site, member, email }) => {
  const pending = { email: member.email, pending_email: email };
  expect((await ask(site, member, email)).body).toMatchObject(pending);
  expect(await profileOf(site, member)).toMatchObject(pending);
  expect(await canLogIn(site, email)).toBe(false);

  const notice = await lastMail(site, member.email);
  expect(notice.text).toContain('Your email address is about to change');
  expect(notice.text).toContain('d***@mail.example');
  expect(notice.text).not.toContain(email);

  const link = await linkFor(site, email, '/confirm-email');
  const { status, body } = await confirmEmail(site, link);
  expect([status, body]).toEqual([200, { message: 'Your email address has been changed.' }]);
  expect(await profileOf(site, member)).toMatchObject({ email, pending_email: null });
  expect(await canLogIn(site, email)).toBe(true);
  expect(await canLogIn(site, member.email)).toBe(false);
  expect(refusalOf(await confirmEmail(site, link))).toEqual(BAD_LINK);
});

test('the link sent to the old address stops the change', async ({ site, member, email }) => {
  const { confirm, stop } = await linksFor(site, member, email);
  const text = (await lastMail(site, member.email)).text.replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'It stops the change. If the change has already been made, the link undoes it for up to 7 days.',
  );
  expect(text).toContain('Either way, it signs out every device.');
  expect(refusalOf(await confirmEmail(site, stop))).toEqual(BAD_LINK);
  expect(refusalOf(await stopEmailChange(site, confirm))).toEqual(BAD_LINK);

  const { status, body } = await stopEmailChange(site, stop);
  expect([status, body]).toEqual([200, STOPPED]);
  expect(refusalOf(await stopEmailChange(site, stop))).toEqual(BAD_LINK);
  expect(refusalOf(await confirmEmail(site, confirm))).toEqual(BAD_LINK);
  // Somebody with a session requested the change.
  expect(await isSignedIn(site, member)).toBe(false);
  const { user } = (await logIn(site, member.email)).body;
  expect(user).toMatchObject({ email: member.email, pending_email: null });
});

test('before the confirmation, both links work for 24 hours', async ({ site, member, email }) => {
  const { confirm, stop } = await linksFor(site, member, email);
  site.pass(DAY_MS);
  expect(refusalOf(await confirmEmail(site, confirm))).toEqual(BAD_LINK);
  expect(refusalOf(await stopEmailChange(site, stop))).toEqual(BAD_LINK);
  expect((await logIn(site, member.email)).body.user.pending_email).toBeNull();
});

test('a newer change replaces the pending one', async ({ site, member, email }) => {
  const { confirm: old } = await linksFor(site, member, newEmail());
  const { confirm } = await linksFor(site, member, email);
  expect(refusalOf(await confirmEmail(site, old))).toEqual(BAD_LINK);
  const replies = await Promise.all([confirmEmail(site, confirm), confirmEmail(site, confirm)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect((await profileOf(site, member)).email).toBe(email);
});

test('a taken address is answered alike; its owner is told', async ({ site, member, email }) => {
  const owner = await addMember(site);
  const free = await ask(site, await addMember(site), email);
  const taken = await ask(site, member, owner.email);
  expect(taken.status).toBe(free.status);
  expect(Object.keys(taken.body)).toEqual(Object.keys(free.body));
  expect(taken.body).toMatchObject({ email: member.email, pending_email: owner.email });
  const told = await lastMail(site, owner.email);
  expect(told.text).toContain('You already have an account');
  expect(told.text).not.toContain('token=');
  expect((await lastMail(site, member.email)).text).toContain('is about to change');
});

test('an address taken in the meantime stays with its account', async ({ site, member, email }) => {
  const { confirm } = await linksFor(site, member, email);
  await signUp(site, newDetails({ email }));
  expect(refusalOf(await confirmEmail(site, confirm))).toEqual(BAD_LINK);
  expect((await profileOf(site, member)).email).toBe(member.email);
});

test('the change invalidates reset links in the old mailbox', async ({ site, member, email }) => {
  const query = await resetLink(site, member.email);
  const { confirm } = await linksFor(site, member, email);
  await confirmEmail(site, confirm);
  const { problem } = await site.visitor().get(accountEndpoints.checkResetLink, { query });
  expect(problem.status).toBe(400);
});

test('rejects a link without a token like any invalid link', async ({ site }) => {
  for (const link of [{}, { token: '' }, { token: 'x'.repeat(101) }]) {
    for (const endpoint of [accountEndpoints.confirmEmail, accountEndpoints.stopEmailChange]) {
      const { problem } = await site.visitor().post(endpoint, invalid(link));
      expect(problem).toMatchObject({ status: 400, error: BAD_LINK.detail });
    }
  }
});
