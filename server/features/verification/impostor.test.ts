import { expect } from 'vitest';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { type Random, randomFrom } from '#server/anonymity/testing/random.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { newNpi, reviewOf } from '#server/testing/factories.ts';
import { answering, PRACTICE } from '#server/testing/matched-doctor.ts';
import { type Client, type Site, testWith } from '#server/testing/site.ts';
import { ADA, doctorOf, leave } from './testing/claimants.ts';

const { codeFor, newDetails, newMember, PASSWORD } = accounts;

const test = testWith({
  // Every owner has a mailbox at one hospital.
  config: { verification: 'proof', mailboxProofsPerMonth: 20 },
  npiRegistry: answering({ ...ADA, practice: PRACTICE }),
});

const HOSPITAL = 'hospital.example';
test.beforeAll(async ({ site }) => {
  const domain = { domain: HOSPITAL, kind: 'employer', name: 'Sample Hospital' };
  await site.deps.db.insertInto('institution_domains').values(domain).execute();
});
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Attempts by one impostor account before the next one. */
const TRIES_OF_ONE = 25;

/** Attempts by somebody who knows the public registry and the hospital's website. */
interface Try {
  site: Site;
  member: accounts.Member;
  client: Client;
  random: Random;
}

const lettersOf = (random: Random, alphabet: string, length: number) =>
  Array.from({ length }, () => random.pick([...alphabet])).join('');

/** Whether it is by chance the code that was mailed to somebody at the hospital. */
const isRight = ({ site }: Try, code: string) =>
  site.mail.some(({ to, text }) => to.endsWith(HOSPITAL) && text.includes(code));

const changeTo = ({ client, member }: Try, change: object) =>
  client.patch(accountEndpoints.update, change, { params: { id: member.id } });

const { orderLetter, confirmLetter, mailMailboxCode, confirmMailbox } = verificationEndpoints;

const PATHS: Record<string, (attempt: Try) => Promise<unknown>> = {
  'has the registry asked again': ({ client }) =>
    client.post(verificationEndpoints.checkRegistry, {}),
  'takes the registry’s spelling': (attempt) =>
    changeTo(attempt, { first_name: attempt.random.pick(['ADA', 'Ada B.', 'A']) }),
  'takes another name, and the right one again': async (attempt) => {
    await changeTo(attempt, { first_name: 'Grace' });
    await changeTo(attempt, { first_name: 'Ada' });
  },
  'sets fields that nobody may set': (attempt) =>
    changeTo(attempt, { verified: true, can_post_reviews: true, verification_status: 'passed' }),
  'has a letter sent to the practice': ({ client }) => client.post(orderLetter, {}),
  'guesses the code of the letter': ({ client, random }) =>
    client.post(confirmLetter, { code: lettersOf(random, CODE_LETTERS, 10) }),
  'has a code sent to a colleague’s mailbox': ({ client, random }) =>
    client.post(mailMailboxCode, { email: `${random.letters(6)}@${HOSPITAL}` }),
  'has a code sent to a mailbox of their own': async ({ client, random }) => {
    const email = `${random.letters(6)}@${random.pick(['mail.example', `x.${HOSPITAL}`])}`;
    expect((await client.post(mailMailboxCode, { email })).status).not.toBe(200);
  },
  'guesses the code of the mailbox': async (attempt) => {
    const code = lettersOf(attempt.random, '0123456789', 6);
    if (!isRight(attempt, code)) await attempt.client.post(confirmMailbox, { code });
  },
  'enters the code of the sign-up': async (attempt) => {
    const { site, client, member } = attempt;
    const own = site.mail.find(({ to }) => to === member.email)?.text;
    const code = own?.match(/\b\d{6}\b/)?.[0] ?? 'no code';
    if (!isRight(attempt, code)) await client.post(confirmMailbox, { code });
    await client.post(confirmLetter, { code });
  },
  'moves the account to the hospital’s address': (attempt) =>
    changeTo(attempt, { email: `${attempt.random.letters(6)}@${HOSPITAL}`, password: PASSWORD }),
  'posts a review': async ({ site, client }) =>
    client.post(reviewEndpoints.create, reviewOf(await site.employer())),
  'locks reviews': ({ client }) => {
    const lock = { password: PASSWORD, recovery_code: newRecoveryCode() };
    return client.post(accountEndpoints.lockReviews, lock);
  },
  'signs up a second time': ({ site, member: { npi } }) => {
    const signUp = { action: 'create_account', ...newDetails({ npi }) } as const;
    return site.visitor().post(sessionEndpoints.register, signUp);
  },
};
const NAMES = Object.keys(PATHS);
/** In this sequence, every path follows every path: a de Bruijn sequence of Lyndon words. */
const SEQUENCE = [
  ...NAMES.flatMap((one, at) => [one, ...NAMES.slice(at + 1).flatMap((other) => [one, other])]),
  ...NAMES.slice(0, 1),
];

const verifiedIds = async ({ deps }: Site) => {
  const text = 'select user_id from doctors where verified or can_post_reviews order by user_id';
  const { rows } = await deps.database.pool.query<{ user_id: string }>(text);
  return rows.map(({ user_id }) => user_id);
};

for (let number = 0; number * TRIES_OF_ONE < SEQUENCE.length; number += 1) {
  test(`public data verifies nobody, and the owner succeeds: ${number}`, async ({ site }) => {
    const random = randomFrom(20_261_122 + number);
    const before = await verifiedIds(site);
    const npi = newNpi();
    let member = await newMember(site, { npi });
    const attempt = { site, member, client: site.as(member), random };
    const start = number * TRIES_OF_ONE;
    // Each impostor begins with the last path of the previous one.
    for (const name of SEQUENCE.slice(Math.max(0, start - 1), start + TRIES_OF_ONE)) {
      await PATHS[name]?.(attempt);
      await site.jobs.idle();
      expect(await verifiedIds(site), name).toEqual(before);
    }
    if (number % 2 === 1) {
      expect((await leave(site, member, 'keep')).status).toBe(200);
      member = await newMember(site, { npi });
    }
    const owner = await newMember(site, { npi });
    const email = `owner${number}@${HOSPITAL}`;
    const client = site.as(owner);
    expect((await client.post(mailMailboxCode, { email })).status).toBe(200);
    const code = await codeFor(site, email);
    expect((await client.post(confirmMailbox, { code })).status).toBe(200);
    expect(await doctorOf(site, owner)).toMatchObject({ verified: true, can_post_reviews: true });
    expect(await verifiedIds(site)).toEqual([...before, owner.id].toSorted());
  });
}
