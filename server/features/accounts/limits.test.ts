import { expect } from 'vitest';
import type { SignupDetails } from '#contract/accounts/accounts.ts';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { newEmail } from '#server/testing/factories.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import * as accounts from './testing/account-flows.ts';
import { newPoster } from './testing/locked-account.ts';

const { NEW_PASSWORD, PASSWORD, addMember, changeProfile, codeFor, deviceOf, linkFor } = accounts;
const { newDetails, refusalOf, register, wrongCode } = accounts;

const test = testWith({ config: { rateLimitFactor: 1 } })
  .extend('member', ({ site }) => addMember(site))
  .extend('details', () => newDetails());

const WRONG = 'Wrong-Stethoscope-1';
const STRANGER = '198.51.100.7';

const create = (site: Site, details: SignupDetails, from?: string) =>
  register(site, { action: 'create_account', ...details }, from ? { from } : {});
const verify = (site: Site, details: SignupDetails, otp_code: string, from?: string) =>
  register(site, { action: 'verify_otp', ...details, otp_code }, from ? { from } : {});
const resend = (site: Site, email: string, from = STRANGER) =>
  register(site, { action: 'resend_otp', email }, { from });

/** The stranger knows everything public about the owner, but not the password. */
const impostorOf = (details: SignupDetails) => ({ ...details, password: 'Guess-Anything-7' });

test.for([
  ['wrong codes do', false],
  ['sign-up with the address and its wrong codes do', true],
] as const)(
  "a stranger's %s not affect the owner's code",
  async ([, signsUp], { site, details }) => {
    await create(site, details);
    const code = await codeFor(site, details.email);
    const impostor = impostorOf(details);
    if (signsUp) await create(site, impostor, STRANGER);
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const answer = await verify(site, impostor, wrongCode(code), STRANGER);
      if (!signsUp) expect(refusalOf(answer).code).toBe('invalid_code');
    }
    expect((await verify(site, details, code)).status).toBe(200);
  },
);

test("a code requested by a stranger works for the owner's sign-up", async ({ site, details }) => {
  await create(site, details);
  for (let time = 0; time < 3; time += 1) await resend(site, details.email);
  expect((await verify(site, details, await codeFor(site, details.email))).status).toBe(200);
});

test('a stranger who requests codes leaves some for the owner', async ({ site, details }) => {
  for (let code = 0; code < 5; code += 1) await resend(site, details.email);
  expect((await resend(site, details.email)).status).toBe(429);
  expect((await create(site, details)).status).toBe(200);
  expect((await verify(site, details, await codeFor(site, details.email))).status).toBe(200);
});

test('the limit of an address is the same whether it is known or not', async ({ site, member }) => {
  for (const [email, from] of [
    [member.email, '198.51.100.1'],
    [newEmail(), '198.51.100.2'],
  ] as const) {
    const statuses = [];
    for (let code = 0; code < 7; code += 1) statuses.push((await resend(site, email, from)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  }
});

/** What strangers get who request codes for an address, and guess them. */
async function probe(site: Site, details: SignupDetails, networks: readonly string[]) {
  const impostor = { ...impostorOf(details), first_name: 'Stranger' };
  const answers = [];
  for (const from of networks) {
    answers.push(await resend(site, details.email, from));
    answers.push(await verify(site, impostor, '000000', from));
  }
  return answers.map(({ status, headers }) => `${status} ${headers['retry-after'] ?? ''}`.trim());
}

test.for([
  ['its network', Array<string>(2).fill(STRANGER)],
  ['other networks', Array.from({ length: 9 }, (_, at) => `203.0.${at % 6}.1`)],
] as const)('nobody on %s can tell that an address has got an account', async ([, networks]) => {
  // A fifth of the limits: one code for each network, and four and two for all.
  const site = await newSite({ config: { rateLimitFactor: 0.2 } });
  const [member, other] = [newDetails(), newDetails()];
  for (const details of [member, other]) await create(site, details, STRANGER);
  const before = await probe(site, member, networks);
  expect(before.at(-2)).toMatch(/^429 /);
  expect(await probe(site, other, networks)).toEqual(before);
  const joined = await verify(site, member, await codeFor(site, member.email), STRANGER);
  expect(joined.status).toBe(200);
  const after = await probe(site, member, networks);
  expect(after.filter((answer) => answer.startsWith('200'))).toEqual([]);
  expect(await probe(site, other, networks)).toEqual(after);
});

test('nobody on a network can tell how many have joined from it', async () => {
  // A twentieth of the limits: five codes a day for a network, three an hour.
  const site = await newSite({ config: { rateLimitFactor: 0.05 } });
  site.time.now = new Date('2030-01-01T12:00:00Z');
  const joins = async (from: string) => {
    const details = newDetails();
    const asked = await create(site, details, from);
    if (asked.status !== 200) return [asked.status, asked.headers['retry-after']];
    return [(await verify(site, details, await codeFor(site, details.email), from)).status];
  };
  const [joined, abandoned] = ['192.0.2.1', '198.51.100.1'];
  for (let time = 0; time < 2; time += 1) {
    expect(await joins(joined)).toEqual([200]);
    expect((await create(site, newDetails(), abandoned)).status).toBe(200);
  }
  for (let hour = 0; hour < 3; hour += 1) {
    for (let time = 0; time < 3; time += 1)
      expect(await joins(joined)).toEqual(await joins(abandoned));
    site.pass(3_600_000);
  }
});

test('a guesser gets limited attempts an hour, from any network', async ({ details }) => {
  // A fifth of the limits: 4 first codes an hour, and 3 wrong ones per network.
  const site = await newSite({ config: { rateLimitFactor: 0.2 } });
  for (let network = 1; network <= 8; network += 1) {
    const from = `198.51.${network}.1`;
    const guesser = { ...details, first_name: `Guesser ${network}` };
    await create(site, guesser, from);
    const wrong = wrongCode(await codeFor(site, details.email));
    const guesses = Array.from({ length: 5 }, () => verify(site, guesser, wrong, from));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([400, 400, 400, 429, 429]);
  }
  expect(site.mail).toHaveLength(4);
  const stored = await site.rows('one_time_codes', {}, ['attempts_total']);
  expect(stored).toEqual(Array(4).fill({ attempts_total: 3 }));
});

test('allows an account five changes of its address an hour', async ({ site, member }) => {
  for (let change = 0; change < 5; change += 1) {
    expect((await changeProfile(site, member, { email: newEmail() })).status).toBe(200);
  }
  expect((await changeProfile(site, member, { email: newEmail() })).status).toBe(429);
  // Submitting the current address is not a change.
  expect((await changeProfile(site, member, { email: member.email })).status).toBe(200);
});

test('any address gets 3 reset mails an hour; old links stay valid', async ({ site, member }) => {
  const ask = (email: string, from: string) =>
    site.visitor({ from }).post(accountEndpoints.requestPasswordReset, { email });
  for (const email of [member.email, newEmail()]) {
    for (let mail = 0; mail < 3; mail += 1) {
      expect((await ask(email, `198.51.100.${mail}`)).status).toBe(200);
    }
    const { headers, problem } = await ask(email, '192.0.2.1');
    expect(problem).toMatchObject({
      status: 429,
      detail: `Rate limit exceeded. Please try again in ${headers['retry-after']} seconds.`,
    });
  }
  // Even if a stranger requested them, the links are in the owner's mailbox.
  const link = await linkFor(site, member.email, '/password-reset');
  const reset = { ...link, new_password: NEW_PASSWORD };
  expect((await site.visitor().post(accountEndpoints.resetPassword, reset)).status).toBe(200);
});

test('a session allows ten guesses of the password in 15 minutes', async ({ site, member }) => {
  const change = (current_password: string) =>
    site.as(member).post(accountEndpoints.changePassword, {
      current_password,
      new_password: NEW_PASSWORD,
    });
  for (let guess = 0; guess < 10; guess += 1) expect((await change(WRONG)).status).toBe(400);
  expect((await change(PASSWORD)).status).toBe(429);
});

test('all requests that ask for the password share one limit', async ({ site, member }) => {
  const download = (password: string) =>
    site.as(member).post(accountEndpoints.exportWithPassword, { password });
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await changeProfile(site, member, { password: WRONG })).status).toBe(400);
    expect((await download(WRONG)).status).toBe(400);
  }
  expect((await changeProfile(site, member, { password: PASSWORD })).status).toBe(429);
  expect((await download(PASSWORD)).status).toBe(429);
  const deletion = { password: PASSWORD, reviews: 'keep' } as const;
  expect((await site.as(member).post(accountEndpoints.delete, deletion)).status).toBe(429);
});

test('locking is rate-limited, so that nobody can force endless rewrites', async ({ site }) => {
  let device: Pick<Awaited<ReturnType<typeof newPoster>>, 'headers'> = await newPoster(site);
  const lock = () =>
    site.as(device).post(accountEndpoints.lockReviews, {
      password: PASSWORD,
      recovery_code: newRecoveryCode(),
    });
  for (let time = 0; time < 5; time += 1) {
    device = deviceOf((await lock()).body);
    const unlocked = await site
      .as(device)
      .post(accountEndpoints.unlockReviews, { password: PASSWORD });
    device = deviceOf(unlocked.body);
  }
  expect((await lock()).status).toBe(429);
});
