import { expect, test } from 'vitest';
import { newRecoveryCode } from '#contract/recovery-code.ts';
import { type Random, randomFrom } from '#server/anonymity/testing/random.ts';
import {
  codeFor,
  type Member,
  newDetails,
  newMember,
  PASSWORD,
  send,
} from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer, newNpi, reviewOf } from '#server/testing/factories.ts';
import { ADA, claim, doctorOf, serverWith } from './testing/claimants.ts';

const TRIES = 1000;
/** Attempts by one impostor account before the next one. */
const TRIES_OF_ONE = 50;
const HOSPITAL = 'hospital.example';
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Attempts by somebody who knows the public registry and the hospital's website. */
interface Try {
  server: TestApp;
  member: Member;
  npi: string;
  random: Random;
}

const lettersOf = (random: Random, alphabet: string, length: number) =>
  Array.from({ length }, () => random.pick([...alphabet])).join('');

const changeTo = ({ server, member }: Try, change: object) =>
  send(server, `/users/${member.id}/`, change, { ...member, method: 'PATCH' });

const PATHS: Record<string, (attempt: Try) => Promise<unknown>> = {
  'has the registry asked again': ({ server, member }) =>
    send(server, '/verification/check/', {}, member),
  'takes the registry’s spelling': (attempt) =>
    changeTo(attempt, { first_name: attempt.random.pick(['ADA', 'Ada B.', 'A']) }),
  'takes another name, and the right one again': async (attempt) => {
    await changeTo(attempt, { first_name: 'Grace' });
    await changeTo(attempt, { first_name: 'Ada' });
  },
  'sets fields that nobody may set': (attempt) =>
    changeTo(attempt, { verified: true, can_post_reviews: true, verification_status: 'passed' }),
  'has a letter sent to the practice': ({ server, member }) =>
    send(server, '/verification/letter/', {}, member),
  'guesses the code of the letter': ({ server, member, random }) =>
    send(
      server,
      '/verification/letter/confirm/',
      { code: lettersOf(random, CODE_LETTERS, 10) },
      member,
    ),
  'has a code sent to a colleague’s mailbox': ({ server, member, random }) =>
    send(server, '/verification/mailbox/', { email: `${random.letters(6)}@${HOSPITAL}` }, member),
  'has a code sent to a mailbox of their own': async ({ server, member, random }) => {
    const email = `${random.letters(6)}@${random.pick(['mail.example', `x.${HOSPITAL}`])}`;
    const { statusCode } = await send(server, '/verification/mailbox/', { email }, member);
    expect(statusCode).not.toBe(200);
  },
  'guesses the code of the mailbox': ({ server, member, random }) =>
    send(
      server,
      '/verification/mailbox/confirm/',
      { code: lettersOf(random, '0123456789', 6) },
      member,
    ),
  'enters the code of the sign-up': async ({ server, member }) => {
    const own = server.mail.filter(({ to }) => to === member.email).map(({ text }) => text);
    const code = own.join('\n').match(/\b\d{6}\b/)?.[0];
    await send(server, '/verification/mailbox/confirm/', { code }, member);
    await send(server, '/verification/letter/confirm/', { code }, member);
  },
  'moves the account to the hospital’s address': (attempt) =>
    changeTo(attempt, { email: `${attempt.random.letters(6)}@${HOSPITAL}`, password: PASSWORD }),
  'posts a review': async ({ server, member }) =>
    send(server, '/reviews/', reviewOf(await newEmployer(server)), member),
  'locks reviews': ({ server, member }) =>
    send(
      server,
      '/auth/reviews/lock/',
      { password: PASSWORD, recovery_code: newRecoveryCode() },
      member,
    ),
  'signs up a second time': async ({ server, npi }) => {
    const details = newDetails({ npi });
    await send(server, '/auth/register/', { action: 'create_account', ...details });
  },
};

const verifiedIds = async ({ deps }: TestApp) => {
  const rows = await deps.db
    .selectFrom('doctors')
    .select('user_id')
    .where((eb) => eb.or([eb('verified', '=', true), eb('can_post_reviews', '=', true)]))
    .execute();
  return rows.map(({ user_id }) => user_id).toSorted();
};

test('1,000 attempts with only public data verify nobody, and the owner always succeeds', async () => {
  const address = {
    lines: ['1 Sample Street'],
    city: 'Rochester',
    state: 'NY',
    postal_code: '14604',
  };
  await using server = await serverWith('proof', { ...ADA, practice: address });
  const domain = { domain: HOSPITAL, kind: 'employer', name: 'Sample Hospital' };
  await server.deps.db.insertInto('institution_domains').values(domain).execute();
  const random = randomFrom(20_261_122);
  const owners: string[] = [];
  for (let tries = 0; tries < TRIES; tries += TRIES_OF_ONE) {
    const npi = newNpi();
    let member = await claim(server, npi);
    for (let at = 0; at < TRIES_OF_ONE; at += 1) {
      const name = random.pick(Object.keys(PATHS));
      await PATHS[name]?.({ server, member, npi, random });
      await server.jobs.idle();
      expect(await verifiedIds(server), name).toEqual(owners);
    }
    if (random.next() < 0.5) {
      await send(server, '/auth/delete-account/', { password: PASSWORD, reviews: 'keep' }, member);
      member = await claim(server, npi);
    }
    const owner = await newMember(server, { npi });
    const email = `owner${tries}@${HOSPITAL}`;
    expect((await send(server, '/verification/mailbox/', { email }, owner)).statusCode).toBe(200);
    const code = await codeFor(server, email);
    const answer = await send(server, '/verification/mailbox/confirm/', { code }, owner);
    expect(answer.statusCode).toBe(200);
    expect(await doctorOf(server, owner)).toMatchObject({ verified: true, can_post_reviews: true });
    owners.push(owner.id);
    owners.sort();
    expect((await doctorOf(server, member)).verified).toBe(false);
  }
  expect(owners).toHaveLength(TRIES / TRIES_OF_ONE);
}, 300_000);
