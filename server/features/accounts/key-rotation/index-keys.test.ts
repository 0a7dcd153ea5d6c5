import { accountEndpoints } from '#contract/endpoints/account.ts';
import { confirmEmailChange } from '#server/features/accounts/email-change/email-change.ts';
import { emailIndex } from '#server/features/accounts/identity/identity.ts';
import { findProfile } from '#server/features/accounts/identity/profiles.ts';
import { addAdmin, addDoctor } from '#server/features/accounts/signup/signup.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { nodeAt, STEPS } from '#server/features/accounts/testing/index-keys.ts';
import { verifyNpi } from '#server/features/verification/registry-check.ts';
import { newEmail, newNpi } from '#server/testing/factories.ts';
import { answering, PERSON } from '#server/testing/matched-doctor.ts';
import { expect, newSite, type Site, testWith } from '#server/testing/site.ts';

const { NEW_PASSWORD, addMember, canLogIn, changeProfile, codeFor, confirmEmail } = accounts;
const { isSignedIn, lastMail, linkFor, newDetails, profileOf, refusalOf, register } = accounts;
const { resetLink, resetPassword, wrongCode } = accounts;

const goTo = ({ deps }: Pick<Site, 'deps'>, step: keyof typeof STEPS) =>
  deps.keys.replace(STEPS[step]);

/** The registry knows every NPI, as Ada's. */
const npiRegistry = answering({ ...PERSON, names: [{ first: 'ADA', last: 'EXAMPLE' }] });

const test = testWith({ config: { secrets: STEPS.before }, npiRegistry })
  .extend('start', { auto: true }, ({ site }) => goTo(site, 'before'))
  .extend('member', ({ site, start: _ }) => addMember(site));

const person = (fields: Parameters<typeof newDetails>[0]) => ({
  ...newDetails(fields),
  password: null,
});

/** The number of accounts with an address, under any of the keys. */
async function accountsOf({ deps }: Site, email: string) {
  const indexes = (['before', 'after'] as const).map((step) =>
    emailIndex(nodeAt(deps, step).keys, email),
  );
  const found = deps.db.selectFrom('users').select('id').where('email_index', 'in', indexes);
  return (await found.execute()).length;
}

test('finds an account under the old key by address and by NPI', async ({ site, member }) => {
  goTo(site, 'rotating');
  expect(await canLogIn(site, member.email.toUpperCase())).toBe(true);
  expect(await isSignedIn(site, member)).toBe(true);
  for (const who of [member.email, member.npi]) {
    const found = await findProfile(site.deps.keys, site.deps.db, who);
    expect(found?.user.id).toBe(member.id);
  }

  await register(site, { action: 'create_account', ...newDetails({ email: member.email }) });
  expect((await lastMail(site, member.email)).text).toContain('You already have an account');
  await changeProfile(site, await addMember(site), { email: member.email });
  expect((await lastMail(site, member.email)).text).not.toContain('token=');

  expect((await resetPassword(site, member.email, NEW_PASSWORD)).status).toBe(200);
  expect(await canLogIn(site, member.email, NEW_PASSWORD)).toBe(true);
});

test('an address under the old key gets no second account', async ({ site, member }) => {
  goTo(site, 'rotating');
  const details = person({ email: member.email.toUpperCase() });
  await expect(addDoctor(site.deps, details)).rejects.toThrow('already has an account');
  const admin = { ...person({ email: member.email }), roles: ['owner'] as const };
  await expect(addAdmin(site.deps, admin)).rejects.toThrow('already has an account');
  expect(await accountsOf(site, member.email)).toBe(1);
});

test('servers that write under different keys create one account per address', async ({ site }) => {
  const nodes = [nodeAt(site.deps, 'announced'), nodeAt(site.deps, 'rotating')];
  for (let round = 1; round <= 10; round += 1) {
    const email = newEmail();
    const added = await Promise.allSettled(
      [...nodes, ...nodes].map((node) => addDoctor(node, person({ email }))),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await accountsOf(site, email)).toBe(1);
  }
});

test('two servers that write under different keys verify one account per NPI', async ({ site }) => {
  const nodes = [nodeAt(site.deps, 'announced'), nodeAt(site.deps, 'rotating')];
  for (let round = 1; round <= 10; round += 1) {
    const npi = newNpi();
    const ids = await Promise.all(nodes.map((node) => addDoctor(node, person({ npi }))));
    await Promise.all(nodes.map((node, at) => verifyNpi(node)({ userId: ids[at] ?? '' })));
    const doctors = site.deps.db.selectFrom('doctors').select('verified');
    const found = await doctors.where('user_id', 'in', ids).execute();
    expect(found.filter(({ verified }) => verified)).toHaveLength(1);
  }
});

test('an email change cannot take an address under the old key', async ({ site, member }) => {
  const email = newEmail();
  await changeProfile(site, member, { email });
  const link = await linkFor(site, email, '/confirm-email');
  await addDoctor(site.deps, person({ email }));
  goTo(site, 'rotating');
  expect(refusalOf(await confirmEmail(site, link)).code).toBe('invalid_email_link');
  expect(await canLogIn(site, member.email)).toBe(true);
});

test('when two accounts change to one address on two servers, one gets it', async ({ site }) => {
  goTo(site, 'announced');
  const nodes = [nodeAt(site.deps, 'announced'), nodeAt(site.deps, 'rotating')] as const;
  for (let round = 0; round < 5; round += 1) {
    const email = newEmail();
    const tokens: string[] = [];
    for (const member of [await addMember(site), await addMember(site)]) {
      await changeProfile(site, member, { email });
      tokens.push((await linkFor(site, email, '/confirm-email')).token);
    }
    const done = await Promise.allSettled(
      tokens.map((token, at) => confirmEmailChange(nodes[at % 2] ?? site.deps, token)),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await canLogIn(site, email)).toBe(true);
  }
});

test('a code stays valid and gets no extra attempts', async ({ site }) => {
  const signUp = async () => {
    const details = newDetails();
    await register(site, { action: 'create_account', ...details });
    const code = await codeFor(site, details.email);
    const verify = (otp_code: string) =>
      register(site, { action: 'verify_otp', ...details, otp_code });
    return { use: () => verify(code), guess: () => verify(wrongCode(code)) };
  };
  const [own, guessed] = [await signUp(), await signUp()];
  for (let attempt = 0; attempt < 3; attempt += 1) await guessed.guess();
  goTo(site, 'rotating');
  for (let attempt = 0; attempt < 2; attempt += 1) await guessed.guess();
  goTo(site, 'after');
  expect(refusalOf(await guessed.use()).code).toBe('invalid_code');
  expect((await own.use()).status).toBe(200);
});

test('links sent before the rotation work until they expire', async ({ site, member: moving }) => {
  const query = await resetLink(site, (await addMember(site)).email);
  const email = newEmail();
  await changeProfile(site, moving, { email });
  const confirm = await linkFor(site, email, '/confirm-email');
  goTo(site, 'rotating');
  expect((await profileOf(site, moving)).pending_email).toBe(email);
  goTo(site, 'after');
  const checked = await site.visitor().get(accountEndpoints.checkResetLink, { query });
  expect(checked.status).toBe(200);
  expect((await confirmEmail(site, confirm)).status).toBe(200);
});

test('limits keep their counts', async () => {
  const site = await newSite({ config: { secrets: STEPS.before, rateLimitFactor: 1 } });
  const email = newEmail();
  const statuses: number[] = [];
  for (const step of ['announced', 'rotating', 'after', 'after'] as const) {
    const { status } = await site.visitor().post(accountEndpoints.requestPasswordReset, { email });
    statuses.push(status);
    goTo(site, step);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
