import { accountEndpoints } from '#contract/endpoints/account.ts';
import { factorEndpoints, staffEndpoints } from '#contract/endpoints/office.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import {
  NEW_PASSWORD,
  newDevice,
  PASSWORD,
  resetPassword,
} from '#server/features/accounts/testing/account-flows.ts';
import { newEmail, type TestAccount } from '#server/testing/factories.ts';
import { at, expect, type Site, testWith } from '#server/testing/site.ts';
import { emptyOffice } from './testing/empty-office.ts';
import { setUpFactor, wrongCode } from './testing/second-factor.ts';

const { appoint, dismiss, resetFactor } = staffEndpoints;

const test = testWith()
  .extend('owner', async ({ site }) => {
    await emptyOffice(site);
    return site.admin(['owner', 'curator']);
  })
  .extend('member', async ({ site, owner: _ }) => site.admin(['curator']));
test.beforeEach(({ site }) => {
  site.time.now = new Date('2025-08-12T23:30:00Z');
});

interface Office {
  site: Site;
  owner: TestAccount;
  member: TestAccount;
}

const idOf = ({ userId }: TestAccount) => at(userId);

/** The mails that were sent since the last call. */
async function sent(site: Site) {
  await site.jobs.idle();
  return site.mail.splice(0).map(({ to, text }) => ({ to, text: text.replaceAll(/\s+/g, ' ') }));
}

const appointMember = ({ site, owner, member }: Office) =>
  site.as(owner).patch(appoint, { roles: ['auditor', 'curator'] }, idOf(member));
const dismissMember = ({ site, owner, member }: Office) =>
  site.as(owner).delete(dismiss, idOf(member));
const setUp = ({ site, member }: Office) => setUpFactor(site, member);

test.for<[string, string, (office: Office) => unknown, ((office: Office) => unknown)?]>([
  ['new roles', 'You now have: Curator, Auditor.', appointMember],
  ['an appointment', 'You now have: Curator, Auditor.', appointMember, dismissMember],
  ['a dismissal', 'you were removed from the staff.', dismissMember, setUp],
  ['a second factor', 'a second factor was set up', setUp],
  [
    'another second factor',
    'the second factor of your account was replaced.',
    async ({ site, member }) => {
      const { cookies } = await setUpFactor(site, member);
      await sent(site);
      await setUpFactor(site, member, cookies);
    },
  ],
  [
    'no second factor',
    'the second factor of your account was removed.',
    async ({ site, member }) => {
      const { cookies } = await setUpFactor(site, member);
      await sent(site);
      await site.as(member, { cookies }).post(factorEndpoints.remove);
    },
  ],
  [
    'a reset second factor',
    'the second factor of your account was reset',
    ({ site, owner, member }) => site.as(owner).post(resetFactor, idOf(member)),
    setUp,
  ],
])('%s: one mail to the member only', async ([, text, change, before], { site, owner, member }) => {
  const office = { site, owner, member };
  await before?.(office);
  await sent(site);
  await change(office);
  const mails = await sent(site);
  expect(mails).toEqual([{ to: member.email, text: expect.stringContaining(text) }]);
  expect(mails[0]?.text).toContain('On August 12, 2025 (UTC), ');
  expect(mails[0]?.text).toContain('tell an owner of the office');
  expect(mails[0]?.text).not.toMatch(/token|@/);
});

test('a new password: the mail that every account gets, once', async ({ site, member }) => {
  await resetPassword(site, member.email, PASSWORD);
  const device = await newDevice(site, member.email);
  await sent(site);
  const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await site.as(device).post(accountEndpoints.changePassword, passwords)).status).toBe(200);
  const text = expect.stringContaining('Your password was changed');
  expect(await sent(site)).toEqual([{ to: member.email, text }]);
});

test('commands tell the member, too', async ({ site, owner: _ }) => {
  const email = newEmail();
  const mails: object[] = [];
  const run = async (...args: string[]) => {
    await curbside(site, ['admin', ...args], { input: 'Quiet-Harbor-71\n' });
    // Mails that wait at the same time may be sent in any order.
    mails.push(...(await sent(site)));
  };
  await run('add', email, 'Rowan', 'Abernathy', '--roles', 'auditor');
  await run('roles', email, 'curator');
  await run('remove', email);
  await run('add', email, 'Rowan', 'Abernathy', '--roles', 'curator');
  const text = (part: string) => ({ to: email, text: expect.stringContaining(part) });
  const changes = ['have: Auditor.', 'have: Curator.', 'removed from the staff', 'have: Curator.'];
  expect(mails).toEqual(changes.map(text));
});

test('a rejected or empty change sends no mail', async ({ site, owner, member }) => {
  const client = site.as(owner);
  const verifier = await site.admin(['verifier']);
  const second = await site.admin(['owner']);
  const { secret, setup } = (await site.as(second).post(factorEndpoints.begin, {})).body;
  await setUpFactor(site, member);
  await sent(site);
  const wrong = { setup, code: wrongCode(secret, site.time.now) };
  const answers = [
    await client.patch(appoint, { roles: ['moderator'] }, idOf(verifier)),
    await client.patch(appoint, { roles: ['owner'] }, idOf(owner)),
    await client.patch(appoint, { roles: ['curator'] }, idOf(await site.doctor())),
    await site.as(second).post(factorEndpoints.confirm, wrong),
    await site.as(member).post(factorEndpoints.remove),
    await client.patch(appoint, { roles: ['curator'] }, idOf(member)),
    await client.post(resetFactor, idOf(verifier)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 404, 400, 403, 200, 200]);
  await client.delete(dismiss, idOf(second));
  await sent(site);
  expect((await client.delete(dismiss, idOf(owner))).problem.code).toBe('last_owner');
  expect(await sent(site)).toEqual([]);
});
