import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { lockAccount } from '#server/features/accounts/identity/account-queries.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, invalid, test as siteTest } from '#server/testing/site.ts';

const { addMember, canLogIn, changeProfile, confirmEmail, linkFor, profileOf } = accounts;

const test = siteTest.extend('member', ({ site }) => addMember(site));

test('name changes appear immediately, everywhere', async ({ site, member }) => {
  const { email } = member;
  const { body } = await changeProfile(site, member, { email, first_name: ' Grace ' });
  expect(body).toMatchObject({ first_name: 'Grace', last_name: 'Example', email });
  await changeProfile(site, member, { last_name: 'Hopper' });
  const doctor = await site.as(member).get(sessionEndpoints.doctor);
  expect(doctor.body.user).toMatchObject({ first_name: 'Grace', last_name: 'Hopper', email });
  await site.jobs.idle();
  expect(site.mail.filter(({ to }) => to === email)).toEqual([]);
});

test('two simultaneous changes are both kept', async ({ site, member }) => {
  await Promise.all([
    changeProfile(site, member, { first_name: 'Grace' }),
    changeProfile(site, member, { last_name: 'Hopper' }),
  ]);
  expect(await profileOf(site, member)).toMatchObject({ first_name: 'Grace', last_name: 'Hopper' });
});

test('a new name saved beside a confirmed address keeps that address', async ({ site, member }) => {
  const { db } = site.deps;
  const email = newEmail();
  await changeProfile(site, member, { email });
  const link = await linkFor(site, email, '/confirm-email');
  const replies: Promise<{ status: number }>[] = [];
  await inTransaction(db, async (trx) => {
    await lockAccount(trx, member.id);
    replies.push(confirmEmail(site, link));
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    // The form sends the address that it shows, which is about to change.
    replies.push(changeProfile(site, member, { email: member.email, first_name: 'Grace' }));
    await expect.poll(() => waitingForLocks(db)).toBe(2);
  });
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
  const changed = { email, first_name: 'Grace', pending_email: null };
  expect(await profileOf(site, member)).toMatchObject(changed);
  expect(await canLogIn(site, email)).toBe(true);
});

test.for<[payload: object, faults: object]>([
  [{ email: 'ada' }, { email: ['Invalid email address'] }],
  [{ email: '' }, { email: ['Email is required'] }],
  [{ username: 'ada' }, { username: ['Unknown field'] }],
  [{ first_name: '' }, { details: ['First name is required'] }],
  [
    { last_name: ' ', npi: '1', email: 'ada' },
    { email: ['Invalid email address'], details: ['Last name is required', 'Unknown field'] },
  ],
  [{ first_name: 'x'.repeat(101) }, { details: ['Must be at most 100 characters'] }],
])('puts errors where the page looks for them: %j', async ([payload, faults], { site, member }) => {
  const { problem } = await changeProfile(site, member, payload);
  expect(problem).toMatchObject({ status: 400, code: 'validation_error' });
  const { email, username, details } = problem;
  expect({ email, username, details }).toEqual(faults);
  expect(Object.keys(problem.errors ?? {})).toEqual(expect.arrayContaining(Object.keys(payload)));
  expect(problem.error).toBeUndefined();
});

test('returns 404 for another account, even to an administrator', async ({ site, member }) => {
  for (const caller of [await site.doctor(), await site.admin()]) {
    for (const id of [member.id, crypto.randomUUID(), 'me']) {
      const { problem } = await changeProfile(site, { ...caller, id }, { first_name: 'Mallory' });
      expect(problem).toMatchObject({
        status: 404,
        detail: 'The requested resource was not found.',
      });
    }
  }
  const anonymous = { id: member.id, headers: { authorization: '' } };
  expect((await changeProfile(site, anonymous, { first_name: 'M' })).status).toBe(401);
  expect((await profileOf(site, member)).first_name).toBe('Ada');
});

test('every route that needs a login rejects requests without one', async ({ site }) => {
  const visitor = site.visitor();
  for (const { headers, problem } of [
    await visitor.get(sessionEndpoints.user),
    await visitor.get(sessionEndpoints.doctor),
    await visitor.get(accountEndpoints.export),
    await visitor.post(accountEndpoints.changePassword, invalid({})),
    await visitor.post(accountEndpoints.delete, invalid({})),
  ]) {
    expect(problem).toMatchObject({ status: 401, code: 'authentication_required' });
    expect(headers['cache-control']).toBe('no-store, no-transform');
  }
});

test('an administrator has no doctor profile', async ({ site }) => {
  const admin = await site.admin();
  const { problem } = await site.as(admin).get(sessionEndpoints.doctor);
  expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  expect(await profileOf(site, admin)).toMatchObject({ is_admin: true, pending_email: null });
});
